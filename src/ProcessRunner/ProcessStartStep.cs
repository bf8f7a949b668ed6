namespace ProcessRunner;

/// <summary>Specifies which step of a start failed.</summary>
public enum ProcessStartStep
{
    /// <summary>Another step; the error number has the details.</summary>
    Other,

    /// <summary>The file does not exist, or no directory on PATH contains it (ENOENT).</summary>
    NotFound,

    /// <summary>
    /// The file, or each of the files on PATH, may not be executed (EACCES): it has no x bit, is a directory or a FIFO,
    /// or is a script whose interpreter may not be executed.
    /// </summary>
    NotExecutable,

    /// <summary>The working directory does not exist, is not a directory, or may not be entered.</summary>
    BadDirectory,

    /// <summary>
    /// The file is not a program for this machine (ENOEXEC), or its interpreter does not exist (ENOENT).
    /// </summary>
    BadFormat,

    /// <summary>A file for a standard stream cannot be opened.</summary>
    BadStreamFile,

    /// <summary>
    /// The arguments and the environment are too large (E2BIG). On Linux one string may take 128 KiB, see execve(2).
    /// </summary>
    TooLarge,

    /// <summary>No descriptor is free in this process (EMFILE) or in the system (ENFILE).</summary>
    OutOfDescriptors,

    /// <summary>The limit of processes is reached or the memory is exhausted (EAGAIN, ENOMEM).</summary>
    OutOfResources,

    /// <summary>The file is still open for writing (ETXTBSY).</summary>
    Busy,

    /// <summary>
    /// The handle of <see cref="InputSource.FromHandle"/> or <see cref="OutputTarget.ToHandle"/> is closed, or it is
    /// not a handle of this process (EBADF).
    /// </summary>
    BadHandle,

    /// <summary>
    /// <see cref="ProcessCommand.ProcessGroupId"/> is no process group of this process's session (EPERM).
    /// </summary>
    BadGroup,

    /// <summary>This process may not give a child this priority (EACCES).</summary>
    BadPriority,

    /// <summary>The machine has none of <see cref="ProcessCommand.Processors"/>, or they are denied (EINVAL).</summary>
    BadProcessors,

    /// <summary>This process may not raise a limit of <see cref="ProcessCommand.Limits"/> (EPERM).</summary>
    BadLimit,

    /// <summary>
    /// There is no such user, its groups cannot be read, or this process may not become it (EPERM).
    /// </summary>
    BadIdentity,
}
