using System;
using System.IO;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>Finds the file that a command's name stands for, before anything is opened or started.</summary>
[SupportedOSPlatform("linux")]
internal static class ProgramPath
{
    // What execvp(3) searches when PATH is not set.
    private const string DefaultSearchPath = "/bin:/usr/bin";

    /// <summary>
    /// A name with a separator is a path, relative to the caller's directory; one without is looked up on the caller's
    /// PATH, where directories and files without the x bit are passed over.
    /// </summary>
    /// <exception cref="ProcessStartException">There is no such program on PATH.</exception>
    public static string Resolve(ProcessCommand command)
    {
        if (command.FileName.Contains('/'))
        {
            // The child changes its directory before it executes the program.
            return command.WorkingDirectory is null ? command.FileName : Path.GetFullPath(command.FileName);
        }

        string searchPath = Environment.GetEnvironmentVariable("PATH") ?? DefaultSearchPath;
        bool isThereButNotExecutable = false;
        foreach (Range range in searchPath.AsSpan().Split(':'))
        {
            ReadOnlySpan<char> directory = searchPath.AsSpan(range);
            string candidate = directory.IsEmpty
                ? Path.GetFullPath(command.FileName)
                : string.Concat(directory, "/", command.FileName);
            if (LibC.Access(candidate, LibC.F_OK) != 0 || Directory.Exists(candidate))
            {
                continue;
            }

            if (LibC.Access(candidate, LibC.X_OK) == 0)
            {
                return Path.IsPathRooted(candidate) ? candidate : Path.GetFullPath(candidate);
            }

            isThereButNotExecutable = true;
        }

        throw StartDiagnosis.NotOnPath(command, isThereButNotExecutable);
    }
}
