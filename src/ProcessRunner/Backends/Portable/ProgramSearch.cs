using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.IO;

namespace ProcessRunner.Backends.Portable;

/// <summary>
/// Finds the files that a command's name can stand for. A name with a separator is a path relative to the caller's
/// directory. A name without one is looked up on the caller's PATH, and on Windows with the extensions of PATHEXT. The
/// directory of this program and the current directory are not searched, unlike in <c>Process.Start</c>.
/// </summary>
internal static class ProgramSearch
{
    private const string DefaultSearchPath = "/bin:/usr/bin";
    private const string DefaultExtensions = ".COM;.EXE";

    private static readonly bool s_isWindows = OperatingSystem.IsWindows();

    /// <summary>Calls back with the full path of each file that can be the program, until one is started.</summary>
    /// <param name="name">The name.</param>
    /// <param name="start">Starts a file. Its exceptions of the system are those of the start.</param>
    /// <exception cref="LaunchException">There is no such program, or it cannot be started.</exception>
    public static void Start(string name, Action<string> start)
    {
        bool isPath = Path.GetFileName(name.AsSpan()).Length != name.Length;
        bool isThereButNotExecutable = false;
        Win32Exception? denial = null;
        Win32Exception? failure = null;
        foreach (string candidate in isPath ? Extended(name) : OnPath(name))
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

            ThrowIfBatchFile(path);
            try
            {
                start(path);
                return;
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
            StartError.AccessDenied, LaunchStep.NotExecutable, "it is a directory, or lacks the right to execute"),
        (false, false) => new LaunchException(StartError.FileNotFound, LaunchStep.NotFound, LaunchReason.NotOnPath),
        (false, true) => new LaunchException(
            StartError.AccessDenied, LaunchStep.NotExecutable, LaunchReason.NotExecutableOnPath),
    };

    private static IEnumerable<string> OnPath(string name)
    {
        string searchPath = Environment.GetEnvironmentVariable("PATH") ?? (s_isWindows ? "" : DefaultSearchPath);
        foreach (string directory in searchPath.Split(Path.PathSeparator))
        {
            // An empty entry stands for the current directory on Unix, and for nothing on Windows.
            if (directory.Length > 0 || !s_isWindows)
            {
                foreach (string candidate in Extended(Path.Combine(directory.Length > 0 ? directory : ".", name)))
                {
                    yield return candidate;
                }
            }
        }
    }

    private static IEnumerable<string> Extended(string path)
    {
        if (!s_isWindows || Path.HasExtension(path))
        {
            yield return path;
            yield break;
        }

        string extensions = Environment.GetEnvironmentVariable("PATHEXT") ?? DefaultExtensions;
        foreach (string extension in extensions.Split(';', StringSplitOptions.RemoveEmptyEntries))
        {
            yield return path + extension;
        }
    }

    // Path.GetFullPath does not fit on Unix: it drops "link/..", while the kernel goes to the parent of the link's
    // target.
    private static string? FullPath(string path)
    {
        try
        {
            return Path.IsPathFullyQualified(path) ? path
                : s_isWindows ? Path.GetFullPath(path)
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

    // The command interpreter parses the arguments of a batch file again, by rules of its own (CVE-2024-24576).
    private static void ThrowIfBatchFile(string path)
    {
        ReadOnlySpan<char> extension = Path.GetExtension(path.AsSpan());
        if (s_isWindows
            && (extension.Equals(".bat", StringComparison.OrdinalIgnoreCase)
                || extension.Equals(".cmd", StringComparison.OrdinalIgnoreCase)))
        {
            throw new LaunchException(
                StartError.AccessDenied, LaunchStep.NotExecutable,
                $"'{path}' is a batch file, whose arguments cannot be passed on safely: run it by cmd.exe /c, and "
                + "quote its arguments for cmd.exe");
        }
    }
}
