namespace ProcessRunner;

/// <summary>Tells which process group a child belongs to, and so what a stop reaches, and what a terminal does to it.</summary>
public enum ProcessGroupMode
{
    /// <summary>
    /// As the terminal wants it. A child that inherits our standard input (<see cref="InputSource.Inherit"/>), and each stage
    /// of a pipeline whose first one does, stays in the group of this process, as with <see cref="Inherit"/>: it may read what
    /// is typed. Any other child of a process with a controlling terminal gets a <see cref="Session"/>, so that a prompt on
    /// <c>/dev/tty</c> (git, ssh, sudo) fails at once instead of waiting for ever. Without a terminal, as in a service or
    /// in CI, it gets a group of its <see cref="Own"/>.
    /// </summary>
    Auto,

    /// <summary>
    /// A group of its own: a stop reaches all that it started, and a Ctrl-C at the terminal does not. It is a background
    /// group: the kernel suspends a child that reads the terminal (SIGTTIN, see termios(3)), for nobody brings it to the
    /// foreground, and its run then ends by a limit or a stop alone.
    /// </summary>
    Own,

    /// <summary>A session and group of its own, without a controlling terminal (setsid(2)).</summary>
    Session,

    /// <summary>
    /// The group of this process, with its Ctrl-C and Ctrl-Z. A Ctrl-C can end the child before its program runs; a Ctrl-Z at
    /// that moment is passed over, since the start would wait for its end. A stop signals the child alone, and its descendants
    /// only as far as the mark in their environment leads to them.
    /// </summary>
    Inherit,
}
