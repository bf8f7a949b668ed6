namespace ProcessRunner.Backends;

/// <summary>Who receives a signal.</summary>
internal enum SignalScope
{
    /// <summary>The child alone.</summary>
    Child,

    /// <summary>Every member of the child's process group.</summary>
    Group,
}
