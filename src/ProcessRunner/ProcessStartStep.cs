namespace ProcessRunner;

/// <summary>Tells which step of starting a program failed.</summary>
public enum ProcessStartStep
{
    /// <summary>None of the others; the error number tells more.</summary>
    Other,

    /// <summary>There is no file of that name, or no directory of PATH has one (ENOENT).</summary>
    NotFound,

    /// <summary>
    /// There is a file, or are files on PATH, but none that may be executed (EACCES): no x bit, a directory, a FIFO, a script whose
    /// interpreter may not be executed.
    /// </summary>
    NotExecutable,

    /// <summary>The working directory does not exist, is no directory, or may not be entered.</summary>
    BadDirectory,

    /// <summary>The file is no program for this machine, or its interpreter does not exist (ENOEXEC).</summary>
    BadFormat,

    /// <summary>A file for a standard stream cannot be opened.</summary>
    BadStreamFile,

    /// <summary>The arguments and the environment are too large (E2BIG): 128 KiB each on Linux, see execve(2).</summary>
    TooLarge,

    /// <summary>No descriptor is free in this process (EMFILE) or in the system (ENFILE).</summary>
    OutOfDescriptors,

    /// <summary>The limit of processes or the memory is used up (EAGAIN, ENOMEM).</summary>
    OutOfResources,

    /// <summary>The file is still open for writing (ETXTBSY).</summary>
    Busy,
}
