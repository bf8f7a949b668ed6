namespace ProcessRunner.Backends;

/// <summary>Specifies the receivers of a signal.</summary>
internal enum SignalScope
{
    /// <summary>The child alone.</summary>
    Child,

    /// <summary>Every member of the child's process group.</summary>
    Group,
}
