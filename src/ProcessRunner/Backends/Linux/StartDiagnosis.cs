using System;
using System.ComponentModel;
using System.IO;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Says which step of a start failed. Where posix_spawn(3) made it there is one errno for all of them, so the file system is
/// asked afterwards, when there is time.
/// </summary>
[SupportedOSPlatform("linux")]
internal static class StartDiagnosis
{
    public static ProcessStartException NotOnPath(ProcessCommand command, bool isThereButNotExecutable) =>
        isThereButNotExecutable
            ? Failure(command, Errno.EACCES, ProcessStartStep.NotExecutable, "no directory of PATH has it as an executable file")
            : Failure(command, Errno.ENOENT, ProcessStartStep.NotFound, "no directory of PATH has it");

    /// <summary>A relative name means nothing where the caller has no directory any more.</summary>
    public static ProcessStartException NotFromHere(ProcessCommand command) => Failure(
        command, Errno.ENOENT, ProcessStartStep.NotFound,
        "the working directory of this process, from which it is meant, has been deleted");

    /// <summary>Whether a start has failed by its program, as far as can be told, and not by its directory or a file.</summary>
    public static bool IsOfProgram(ProcessCommand command, Win32Exception exception) => exception is SpawnException known
        ? known.Step == SpawnStep.Execute
        : BadFile(command, step: null, exception.NativeErrorCode) is null
            && (command.WorkingDirectory is null || CanEnter(command.WorkingDirectory));

    /// <summary>There is no thread or no memory, which the runtime tells without an error number.</summary>
    public static ProcessStartException OutOfResources(ProcessCommand command) =>
        Explain(command, command.FileName, new Win32Exception(Errno.EAGAIN));

    public static ProcessStartException Explain(ProcessCommand command, string program, Win32Exception exception)
    {
        int error = exception.NativeErrorCode;
        SpawnStep? step = (exception as SpawnException)?.Step;
        bool isShortage = error is Errno.EMFILE or Errno.ENFILE or Errno.ENOMEM;
        if (!isShortage && command.OpensFiles && BadFile(command, step, error) is (string file, string stream))
        {
            return Failure(
                command, error, ProcessStartStep.BadStreamFile, $"the file '{file}' for its standard {stream} cannot be opened");
        }

        switch (error)
        {
            case Errno.E2BIG:
                return Failure(
                    command, error, ProcessStartStep.TooLarge,
                    "the arguments and the environment, or one of them (128 KiB), are larger than the kernel takes");

            case Errno.EMFILE:
                return Failure(
                    command, error, ProcessStartStep.OutOfDescriptors,
                    "this process has reached its limit of open descriptors (ulimit -n)");

            case Errno.ENFILE:
                return Failure(
                    command, error, ProcessStartStep.OutOfDescriptors, "the system has reached its limit of open files");

            case Errno.EAGAIN or Errno.ENOMEM:
                return Failure(
                    command, error, ProcessStartStep.OutOfResources,
                    "the limit of processes (ulimit -u, pids.max) or the memory is used up");

            case Errno.ENOEXEC or Errno.ELIBBAD:
                return Failure(
                    command, error, ProcessStartStep.BadFormat,
                    "it is neither a program for this machine nor a script that begins with #!");

            case Errno.ENOSYS when step == SpawnStep.ChangeDirectory:
                return Failure(
                    command, error, ProcessStartStep.Other,
                    "on this machine posix_spawn must start it, and the C library can do that in another directory only from "
                    + "glibc 2.29 or musl 1.1.24 on. Without WorkingDirectory it can be started; 'env -C DIRECTORY PROGRAM' changes "
                    + "the directory itself");

            case Errno.ETXTBSY:
                return Failure(command, error, ProcessStartStep.Busy, "somebody has it open for writing");
        }

        bool isDirectorysFault = step == SpawnStep.ChangeDirectory;
        if (command.WorkingDirectory is string directory && (isDirectorysFault || (step is null && !CanEnter(directory))))
        {
            string reason = Directory.Exists(directory) ? "may not be entered" : "does not exist or is not a directory";
            return Failure(command, error, ProcessStartStep.BadDirectory, $"the working directory {reason}");
        }

        return error switch
        {
            _ when Directory.Exists(program) => Failure(
                command, error, ProcessStartStep.NotExecutable, "it is a directory"),
            Errno.ENOENT when LibC.Access(program, LibC.F_OK) == 0 => Failure(
                command, error, ProcessStartStep.BadFormat, "the interpreter or loader that it names does not exist"),
            Errno.ENOENT or Errno.ENOTDIR => Failure(command, error, ProcessStartStep.NotFound, "it does not exist"),
            Errno.EACCES or Errno.EPERM => Failure(
                command, error, ProcessStartStep.NotExecutable, "it, its interpreter or a directory above lacks the right to execute, or is no regular file"),
            _ => Failure(command, error, ProcessStartStep.Other, Marshal.GetPInvokeErrorMessage(error)),
        };
    }

    private static (string File, string Stream)? BadFile(ProcessCommand command, SpawnStep? step, int error)
    {
        ReadOnlySpan<(StreamBinding Binding, string Stream, SpawnStep Step)> streams =
        [
            (command.StandardInput.Binding, "input", SpawnStep.OpenInput),
            (command.StandardOutput.Binding, "output", SpawnStep.OpenOutput),
            (command.StandardError.Binding, "error", SpawnStep.OpenError),
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

    // Without opening it, which its peer could feel.
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

        // Our own directory can have been deleted, and grants every right all the same.
        bool canBeMade = error == Errno.ENOENT && !isInput && Directory.Exists(directory) && LibC.Access(directory, LibC.W_OK) == 0;
        return canBeMade ? 0 : error;
    }

    private static bool CanEnter(string directory) =>
        Directory.Exists(directory) && LibC.Access(directory, LibC.X_OK) == 0;

    private static ProcessStartException Failure(
        ProcessCommand command, int error, ProcessStartStep step, string reason) => new(command, error, step, reason);
}
