using System;
using System.ComponentModel;

namespace ProcessRunner.Backends.Starts;

/// <summary>
/// Translates the errors of a start: the error numbers of Windows (system error codes), or of Unix (errno(3)), which
/// are the same on Linux, macOS and FreeBSD unless a comment says otherwise.
/// </summary>
internal static class StartError
{
    private const int EAgainOfLinux = 11;
    private const int EAgainOfBsd = 35;

    private static readonly bool s_isWindows = OperatingSystem.IsWindows();

    /// <summary>Gets the number for a file that does not exist: ENOENT, ERROR_FILE_NOT_FOUND.</summary>
    public static int FileNotFound => 2;

    /// <summary>Gets the number for a directory that is none: ENOTDIR, ERROR_DIRECTORY.</summary>
    public static int NotADirectory => s_isWindows ? 267 : 20;

    /// <summary>Gets the number for a missing permission: EACCES, ERROR_ACCESS_DENIED.</summary>
    public static int AccessDenied => s_isWindows ? 5 : 13;

    /// <summary>Describes a lack of threads or memory, which the runtime reports without an error number.</summary>
    public static LaunchException OutOfResources() =>
        Explain(new Win32Exception(s_isWindows ? 1455 : OperatingSystem.IsLinux() ? EAgainOfLinux : EAgainOfBsd));

    /// <summary>Returns whether an error is a shortage, which may pass.</summary>
    public static bool IsShortage(int error) =>
        StepOf(error).Step is LaunchStep.OutOfResources or LaunchStep.OutOfDescriptors;

    /// <summary>Explains why a step failed for which no program is responsible.</summary>
    public static LaunchException ExplainStep(Win32Exception exception) => IsShortage(exception.NativeErrorCode)
        ? Explain(exception)
        : new LaunchException(exception.NativeErrorCode, LaunchStep.Other, exception.Message);

    /// <summary>Explains why a program could not be started.</summary>
    public static LaunchException Explain(Win32Exception exception)
    {
        (LaunchStep step, string? reason) = StepOf(exception.NativeErrorCode);
        return new LaunchException(exception.NativeErrorCode, step, reason ?? exception.Message);
    }

    /// <summary>Translates an error number of Windows. Without a reason, the text of the system tells it.</summary>
    public static (LaunchStep Step, string? Reason) OfWindows(int error) => error switch
    {
        2 or 3 => (LaunchStep.NotFound, LaunchReason.DoesNotExist),
        4 => (LaunchStep.OutOfDescriptors, "this process has too many open handles"),
        5 => (LaunchStep.NotExecutable, "it may not be executed"),

        // ERROR_INTERNAL_ERROR is what Wine reports under load.
        // ERROR_INVALID_USER_BUFFER is what a transfer fails with if too many are under way.
        8 or 14 or 1359 or (>= 1450 and <= 1455) or 1784 or 1816 => (
            LaunchStep.OutOfResources, "the memory of the system or a quota is used up"),
        32 => (LaunchStep.Busy, LaunchReason.Busy),
        193 or 216 => (LaunchStep.BadFormat, "it is not a program for this machine"),
        206 => (LaunchStep.TooLarge, "its path, its directory or its arguments are longer than the system takes"),
        267 => (LaunchStep.BadDirectory, LaunchReason.NoDirectory),
        740 => (LaunchStep.NotExecutable, "it must run as an administrator, and this process does not"),
        _ => (LaunchStep.Other, null),
    };

    private static (LaunchStep Step, string? Reason) StepOf(int error) =>
        s_isWindows ? OfWindows(error) : OfUnix(error);

    private static (LaunchStep Step, string? Reason) OfUnix(int error) => error switch
    {
        2 => (LaunchStep.BadFormat, LaunchReason.NoInterpreter),
        7 => (LaunchStep.TooLarge, "the arguments and the environment are larger than the kernel takes"),
        8 => (LaunchStep.BadFormat, LaunchReason.NotAProgram),
        12 or EAgainOfLinux or EAgainOfBsd => (
            LaunchStep.OutOfResources, "the limit of processes (ulimit -u) or the memory is used up"),
        1 or 13 => (LaunchStep.NotExecutable, LaunchReason.NotExecutable),
        23 => (LaunchStep.OutOfDescriptors, LaunchReason.OutOfFiles),
        24 => (LaunchStep.OutOfDescriptors, LaunchReason.OutOfDescriptors),
        26 => (LaunchStep.Busy, LaunchReason.Busy),

        // EBADEXEC, EBADARCH and EBADMACHO of macOS (intro(2)).
        85 or 86 or 88 when OperatingSystem.IsMacOS() => (LaunchStep.BadFormat, LaunchReason.NotAProgram),
        _ => (LaunchStep.Other, null),
    };
}
