using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Io;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Represents the result of a start. The caller that asked for the start owns the descriptors and moves them out at
/// once.
/// </summary>
[SupportedOSPlatform("linux")]
internal ref struct StartedProcess
{
    /// <summary>The process id of the child.</summary>
    public int ProcessId;

    /// <summary>Whether the child leads a process group of its own.</summary>
    public bool LeadsGroup;

    /// <summary>The child's pidfd.</summary>
    public OwnedDescriptor PidFd;

    /// <summary>Our end of the child's standard input, if that is a pipe of this process.</summary>
    public OwnedDescriptor Input;

    /// <summary>Our end of the child's standard output, if that is one.</summary>
    public OwnedDescriptor Output;

    /// <summary>Our end of the child's standard error, if that is one.</summary>
    public OwnedDescriptor Error;

    /// <summary>Our ends of the child's channels, or null.</summary>
    public LinuxChannels? Channels;
}
