namespace ProcessRunner.Backends;

/// <summary>Provides the reasons of failed starts that are the same on every system.</summary>
internal static class LaunchReason
{
    public const string DoesNotExist = "it does not exist";

    public const string NotOnPath = "no directory on PATH contains it";

    public const string NotExecutableOnPath = "no directory on PATH contains it as an executable file";

    public const string NotExecutable =
        "it, its interpreter or a parent directory may not be executed, or it is not a regular file";

    public const string NoCallersDirectory =
        "it is relative to the working directory of this process, which has been deleted";

    public const string NoDirectory = "the working directory does not exist or is not a directory";

    public const string ClosedDirectory = "the working directory may not be entered";

    public const string NoInterpreter = "the interpreter or loader that it names does not exist";

    public const string NotAProgram = "it is neither a program for this machine nor a script that begins with #!";

    public const string Busy = "another process has it open for writing";

    public const string OutOfDescriptors = "this process has reached its limit of open descriptors (ulimit -n)";

    public const string OutOfFiles = "the system has reached its limit of open files";

    /// <summary>Describes a handle that cannot be passed on.</summary>
    public static string BadHandle(string stream) => $"the handle for its {stream} is closed";

    /// <summary>Describes a file for a standard stream that cannot be opened.</summary>
    public static string BadStreamFile(string path, string stream) =>
        $"the file '{path}' for its standard {stream} cannot be opened";
}
