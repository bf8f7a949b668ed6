namespace ProcessRunner.Backends;

/// <summary>Specifies what became of a signal.</summary>
internal enum SignalDelivery
{
    /// <summary>The system has sent it.</summary>
    Sent,

    /// <summary>There was no process left to receive it, or none that this process may signal.</summary>
    Gone,

    /// <summary>This system has no such signal.</summary>
    Unsupported,
}
