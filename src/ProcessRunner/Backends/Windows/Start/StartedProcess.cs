using System.Runtime.Versioning;
using ProcessRunner.Backends.Windows.Io;

namespace ProcessRunner.Backends.Windows.Start;

/// <summary>
/// Represents the result of a start. The caller that asked for the start owns the handles and moves them out at once.
/// </summary>
[SupportedOSPlatform("windows")]
internal ref struct StartedProcess
{
    /// <summary>The process id of the child, which is the id of its console group as well.</summary>
    public int ProcessId;

    /// <summary>Whether the child has a group of its own, to which a CTRL_BREAK can be sent.</summary>
    public bool LeadsGroup;

    /// <summary>Whether the child has a console of its own, to which this process must attach to send that.</summary>
    public bool HasOwnConsole;

    /// <summary>The child's process, with all access.</summary>
    public OwnedHandle Process;

    /// <summary>Our end of the child's standard input, if that is a pipe of this process.</summary>
    public OwnedHandle Input;

    /// <summary>Our end of the child's standard output, if that is one.</summary>
    public OwnedHandle Output;

    /// <summary>Our end of the child's standard error, if that is one.</summary>
    public OwnedHandle Error;

    /// <summary>Our ends of the child's channels, or null.</summary>
    public WindowsChannels? Channels;
}
