using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux;

/// <summary>What a start yields. Its descriptors belong to whoever has asked for the start, who moves them out at once.</summary>
[SupportedOSPlatform("linux")]
internal ref struct StartedProcess
{
    /// <summary>The process id of the child.</summary>
    public int ProcessId;

    /// <summary>Whether it leads a process group of its own.</summary>
    public bool LeadsGroup;

    /// <summary>The child's pidfd.</summary>
    public OwnedDescriptor PidFd;

    /// <summary>Our end of its standard input, if that is a pipe of ours.</summary>
    public OwnedDescriptor Input;

    /// <summary>Our end of its standard output, if that is one.</summary>
    public OwnedDescriptor Output;

    /// <summary>Our end of its standard error, if that is one.</summary>
    public OwnedDescriptor Error;
}
