namespace ProcessRunner;

/// <summary>Tells which process group a child belongs to, and so what a stop reaches.</summary>
public enum ProcessGroupMode
{
    /// <summary>A group of its own: a stop reaches all that it started, and a Ctrl-C at the terminal does not.</summary>
    Own,

    /// <summary>A session and group of its own, without a controlling terminal (setsid(2)).</summary>
    Session,

    /// <summary>
    /// The group of this process, with its Ctrl-C. A stop signals the child alone, and its descendants only as far as
    /// the mark in their environment leads to them.
    /// </summary>
    Inherit,
}
