using System;
using System.ComponentModel;
using System.IO;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Provides the diagnosis of a failed start: which of its steps failed. posix_spawn(3) reports one errno for all steps,
/// so the file system is asked afterwards, when there is time.
/// </summary>
[SupportedOSPlatform("linux")]
internal static class StartDiagnosis
{
    public static LaunchException NotOnPath(bool isThereButNotExecutable) => isThereButNotExecutable
        ? new LaunchException(Errno.EACCES, LaunchStep.NotExecutable, LaunchReason.NotExecutableOnPath)
        : new LaunchException(Errno.ENOENT, LaunchStep.NotFound, LaunchReason.NotOnPath);

    /// <summary>Describes a relative name that means nothing because the caller's directory no longer exists.</summary>
    public static LaunchException NotFromHere() =>
        new(Errno.ENOENT, LaunchStep.NotFound, LaunchReason.NoCallersDirectory);

    /// <summary>
    /// Returns whether a start failed because of its program, as far as can be determined, and not because of its
    /// directory or a file.
    /// </summary>
    public static bool IsOfProgram(ILaunchPlan plan, Win32Exception exception) => exception is SpawnException known
        ? known.Step == SpawnStep.Execute
        : BadFile(plan, step: null, exception.NativeErrorCode) is null
            && (plan.WorkingDirectory is null || CanEnter(plan.WorkingDirectory));

    /// <summary>Describes a lack of threads or memory, which the runtime reports without an error number.</summary>
    public static LaunchException OutOfResources() => Explain(new Win32Exception(Errno.EAGAIN));

    /// <summary>Explains a failure for which no program is responsible.</summary>
    public static LaunchException Explain(Win32Exception exception) =>
        Known(exception.NativeErrorCode) ?? Unknown(exception.NativeErrorCode);

    /// <summary>Explains why there is no guardian, so that its program is not taken for the one to start.</summary>
    public static LaunchException ExplainGuardian(string program, Win32Exception exception)
    {
        LaunchException reason = Explain(exception);
        return new LaunchException(
            reason.NativeErrorCode,
            reason.Step,
            $"the guardian of its engine, {program}, cannot be started: {reason.Message}");
    }

    public static LaunchException Explain(ILaunchPlan plan, string program, Win32Exception exception)
    {
        int error = exception.NativeErrorCode;
        SpawnStep? step = (exception as SpawnException)?.Step;
        bool isShortage = error is Errno.EMFILE or Errno.ENFILE or Errno.ENOMEM;
        if (!isShortage && BadFile(plan, step, error) is (string file, string stream))
        {
            return new LaunchException(error, LaunchStep.BadStreamFile, LaunchReason.BadStreamFile(file, stream));
        }

        if (step == SpawnStep.ChangeDirectory && error == Errno.ENOSYS)
        {
            return CannotChangeDirectory();
        }

        // posix_spawn does not tell which step has failed.
        if (step is null && plan.Settings?.ProcessGroupId is int group && LibC.Kill(-group, 0) != 0)
        {
            step = SpawnStep.JoinGroup;
        }

        if (step is SpawnStep setting && OfSetting(plan, setting, error) is LaunchException refused)
        {
            return refused;
        }

        if (Known(error) is LaunchException known)
        {
            return known;
        }

        bool isDirectorysFault = step == SpawnStep.ChangeDirectory;
        if (plan.WorkingDirectory is string directory && (isDirectorysFault || (step is null && !CanEnter(directory))))
        {
            return new LaunchException(
                error, LaunchStep.BadDirectory,
                Directory.Exists(directory) ? LaunchReason.ClosedDirectory : LaunchReason.NoDirectory);
        }

        return OfProgram(program, error);
    }

    private static LaunchException CannotChangeDirectory() =>
        new(
            Errno.ENOSYS, LaunchStep.Other,
            "on this machine posix_spawn must start it, and the C library can do that in another directory only "
            + "from glibc 2.29 or musl 1.1.24 on. Without WorkingDirectory it can be started; "
            + "'env -C DIRECTORY PROGRAM' changes the directory itself");

    private static LaunchException OfProgram(string program, int error) =>
        error switch
        {
            _ when Directory.Exists(program) => new LaunchException(
                error, LaunchStep.NotExecutable, "it is a directory"),
            Errno.ENOENT when LibC.Access(program, LibC.F_OK) == 0 => new LaunchException(
                error, LaunchStep.BadFormat, LaunchReason.NoInterpreter),
            Errno.ENOENT or Errno.ENOTDIR => new LaunchException(error, LaunchStep.NotFound, LaunchReason.DoesNotExist),
            Errno.EACCES or Errno.EPERM => new LaunchException(
                error, LaunchStep.NotExecutable,
                LaunchReason.NotExecutable),
            _ => Unknown(error),
        };

    private static LaunchException? OfSetting(ILaunchPlan plan, SpawnStep step, int error) => step switch
    {
        SpawnStep.JoinGroup => new LaunchException(
            error, LaunchStep.BadGroup,
            $"there is no process group {plan.Settings!.ProcessGroupId} in the session of this process"),
        SpawnStep.SetPriority => new LaunchException(
            error, LaunchStep.BadPriority,
            $"this process may not set the nice value {plan.Settings!.Nice}: a value below its own needs CAP_SYS_NICE "
            + "or a higher RLIMIT_NICE (ulimit -e)"),
        SpawnStep.SetProcessors => new LaunchException(
            error, LaunchStep.BadProcessors,
            $"none of the processors {string.Join(", ", plan.Settings!.Processors)} may be used: the machine does not "
            + "have them, or a cpuset denies them"),
        SpawnStep.SetLimit => new LaunchException(
            error, LaunchStep.BadLimit,
            $"this process may not set the limits {string.Join(", ", plan.Settings!.Limits)}: a hard limit above its "
            + "own needs CAP_SYS_RESOURCE"),
        SpawnStep.ChangeIdentity => new LaunchException(
            error, LaunchStep.BadIdentity,
            "this process may not become another user: that needs CAP_SETUID and CAP_SETGID, which root has"),
        _ => null,
    };

    // The errors that have the same meaning for every program.
    private static LaunchException? Known(int error) => error switch
    {
        Errno.E2BIG => new LaunchException(
            error, LaunchStep.TooLarge,
            "the arguments and the environment, or one of them (128 KiB), are larger than the kernel takes"),
        Errno.EMFILE => new LaunchException(error, LaunchStep.OutOfDescriptors, LaunchReason.OutOfDescriptors),
        Errno.ENFILE => new LaunchException(error, LaunchStep.OutOfDescriptors, LaunchReason.OutOfFiles),
        Errno.EAGAIN or Errno.ENOMEM => new LaunchException(
            error, LaunchStep.OutOfResources, "the limit of processes (ulimit -u, pids.max) or the memory is used up"),
        Errno.ENOEXEC or Errno.ELIBBAD => new LaunchException(error, LaunchStep.BadFormat, LaunchReason.NotAProgram),
        Errno.ETXTBSY => new LaunchException(error, LaunchStep.Busy, LaunchReason.Busy),
        _ => null,
    };

    private static LaunchException Unknown(int error) =>
        new(error, LaunchStep.Other, Marshal.GetPInvokeErrorMessage(error));

    private static (string File, string Stream)? BadFile(ILaunchPlan plan, SpawnStep? step, int error)
    {
        ReadOnlySpan<(StreamBinding Binding, string Stream, SpawnStep Step)> streams =
        [
            (plan.Input, "input", SpawnStep.OpenInput),
            (plan.Output, "output", SpawnStep.OpenOutput),
            (plan.Error, "error", SpawnStep.OpenError),
        ];
        foreach ((StreamBinding binding, string stream, SpawnStep open) in streams)
        {
            if (binding.Path is string path
                && (step == open || (step is null && ErrorOf(path, isInput: open == SpawnStep.OpenInput) == error)))
            {
                return (path, stream);
            }
        }

        return null;
    }

    // Does not open the file, because its peer could notice that.
    private static int ErrorOf(string path, bool isInput)
    {
        if (!isInput && Directory.Exists(path))
        {
            return Errno.EISDIR;
        }

        if (LibC.Access(path, isInput ? LibC.R_OK : LibC.W_OK) == 0)
        {
            return 0;
        }

        int error = Marshal.GetLastPInvokeError();
        string directory = Path.GetDirectoryName(path) is { Length: > 0 } parent ? parent : ".";

        // This process's own directory can have been deleted and still grants every permission.
        bool canBeMade = error == Errno.ENOENT
            && !isInput
            && Directory.Exists(directory)
            && LibC.Access(directory, LibC.W_OK) == 0;
        return canBeMade ? 0 : error;
    }

    private static bool CanEnter(string directory) =>
        Directory.Exists(directory) && LibC.Access(directory, LibC.X_OK) == 0;
}
