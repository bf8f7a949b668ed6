using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.IO;

namespace ProcessRunner.Backends.Starts;

/// <summary>
/// Finds the file that a command's name stands for, among its <see cref="ProgramCandidates"/>. The directory of this
/// program is not searched, unlike in <c>Process.Start</c>. Stateless and thread-safe.
/// </summary>
internal static class ProgramSearch
{
    private const string DefaultSearchPathOfUnix = "/bin:/usr/bin";

    private static readonly bool s_isWindows = OperatingSystem.IsWindows();

    /// <summary>Calls back with the full path of each file that can be the program, until one is started.</summary>
    /// <param name="name">The name.</param>
    /// <param name="start">Starts a file. Its exceptions of the system are those of the start.</param>
    /// <returns>What the callback has returned.</returns>
    /// <exception cref="LaunchException">There is no such program, or it cannot be started.</exception>
    public static T Start<T>(string name, Func<string, T> start)
        where T : allows ref struct
    {
        bool isPath = Path.GetFileName(name.AsSpan()).Length != name.Length;
        bool isThereButNotExecutable = false;
        Win32Exception? denial = null;
        Win32Exception? failure = null;
        foreach (string candidate in Candidates(name, isPath))
        {
            string? path = FullPath(candidate);
            if (path is null && isPath)
            {
                throw new LaunchException(
                    StartError.FileNotFound, LaunchStep.NotFound, LaunchReason.NoCallersDirectory);
            }

            bool exists = false;
            if (path is null || !IsExecutable(path, out exists))
            {
                isThereButNotExecutable |= exists;
                continue;
            }

            try
            {
                return start(path);
            }
            catch (Win32Exception exception) when (!isPath && IsPassedOver(exception))
            {
                // As with execvp(3), the search goes on behind a file that cannot be executed after all.
                denial ??= exception.NativeErrorCode == StartError.AccessDenied ? exception : null;
                failure ??= exception;
            }
            catch (Win32Exception exception) when (exception is not LaunchException)
            {
                throw StartError.Explain(exception);
            }
        }

        throw denial is not null ? StartError.Explain(denial)
            : failure is not null && !isThereButNotExecutable ? StartError.Explain(failure)
            : NotFound(isPath, isThereButNotExecutable);
    }

    private static bool IsPassedOver(Win32Exception exception) =>
        exception is not LaunchException
        && (exception.NativeErrorCode == StartError.AccessDenied
            || exception.NativeErrorCode == StartError.FileNotFound);

    private static LaunchException NotFound(bool isPath, bool isThere) => (isPath, isThere) switch
    {
        (true, false) => new LaunchException(StartError.FileNotFound, LaunchStep.NotFound, LaunchReason.DoesNotExist),
        (true, true) => new LaunchException(
            StartError.AccessDenied, LaunchStep.NotExecutable, "it is a directory or may not be executed"),
        (false, false) => new LaunchException(StartError.FileNotFound, LaunchStep.NotFound, LaunchReason.NotOnPath),
        (false, true) => new LaunchException(
            StartError.AccessDenied, LaunchStep.NotExecutable, LaunchReason.NotExecutableOnPath),
    };

    private static IEnumerable<string> Candidates(string name, bool isPath)
    {
        string? searchPath = isPath
            ? null
            : Environment.GetEnvironmentVariable("PATH") ?? (s_isWindows ? "" : DefaultSearchPathOfUnix);
        return s_isWindows
            ? ProgramCandidates.OfWindows(name, searchPath, Environment.GetEnvironmentVariable("PATHEXT"))
            : ProgramCandidates.OfUnix(name, searchPath);
    }

    // Path.GetFullPath does not fit on Unix: it drops "link/..", while the kernel goes to the parent of the link's
    // target. On Windows it drops the dots and spaces at the end of a name, as the system does.
    private static string? FullPath(string path)
    {
        try
        {
            return s_isWindows ? Path.GetFullPath(path)
                : Path.IsPathFullyQualified(path) ? path
                : string.Concat(Environment.CurrentDirectory, "/", path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The current directory has been deleted.
            return null;
        }
    }

    private static bool IsExecutable(string path, out bool exists)
    {
        const UnixFileMode Execute =
            UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute;
        exists = Directory.Exists(path);
        if (exists || !File.Exists(path))
        {
            return false;
        }

        try
        {
            bool isExecutable = OperatingSystem.IsWindows() || (File.GetUnixFileMode(path) & Execute) != 0;
            exists = true;
            return isExecutable;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // A link that leads nowhere.
            return false;
        }
    }
}
