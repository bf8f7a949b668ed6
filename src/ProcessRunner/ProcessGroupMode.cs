using System.Runtime.Versioning;

namespace ProcessRunner;

/// <summary>
/// Specifies the process group of a child. The group determines which processes a stop reaches, and what a terminal
/// does to the child.
/// </summary>
public enum ProcessGroupMode
{
    /// <summary>
    /// The group depends on the terminal. A child that inherits the standard input of this process
    /// (<see cref="InputSource.Inherit"/>) stays in the group of this process, as with <see cref="Inherit"/>, and may
    /// read what is typed; so does each stage of a pipeline whose first stage inherits it. Any other child of a process
    /// with a controlling terminal gets a <see cref="Session"/>, so that a prompt on <c>/dev/tty</c> (git, ssh, sudo)
    /// fails at once instead of waiting forever. Without a terminal, as in a service or in CI, the child gets its
    /// <see cref="Own"/> group.
    /// </summary>
    Auto,

    /// <summary>
    /// A process group of its own. A stop reaches all processes in the group, and a Ctrl-C at the terminal reaches
    /// none. It is a background group: the kernel suspends a child that reads the terminal (SIGTTIN, see termios(3)).
    /// Nothing brings the group to the foreground, so only a limit or a stop ends such a run.
    /// </summary>
    [SupportedOSPlatform("linux")]
    [SupportedOSPlatform("windows")]
    Own,

    /// <summary>A session and process group of its own, without a controlling terminal (setsid(2)).</summary>
    [SupportedOSPlatform("linux")]
    [SupportedOSPlatform("windows")]
    Session,

    /// <summary>
    /// The process group of this process, with its Ctrl-C and Ctrl-Z. A Ctrl-C can end the child before its program
    /// runs. A Ctrl-Z at that moment has no effect, because the start would wait until the child continues. A stop
    /// signals the child alone, and its descendants only if the mark in their environment leads to them.
    /// </summary>
    Inherit,
}
