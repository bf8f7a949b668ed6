using System;
using System.ComponentModel;
using System.IO;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Represents the search for the file that a command's name stands for, before anything is opened or started. A name
/// with a separator is a path relative to the caller's directory. A name without one is looked up on the caller's PATH
/// as execvp(3) does: a file that cannot be executed is skipped, even if only the exec reveals it. A file in an unknown
/// format ends the search, at the point where a shell would take it for a script.
/// </summary>
/// <remarks>A local variable of the start, never copied.</remarks>
[SupportedOSPlatform("linux")]
internal struct ProgramPath
{
    // The directories that execvp(3) searches if PATH is not set.
    private const string DefaultSearchPath = "/bin:/usr/bin";

    private readonly ILaunchPlan _plan;

    // Null if the name is a path.
    private readonly string? _searchPath;

    // The index at which the rest of the search path begins.
    private int _next;
    private bool _isThereButNotExecutable;
    private string? _deniedFile;
    private Win32Exception? _denial;

    /// <exception cref="LaunchException">There is no such program.</exception>
    public ProgramPath(ILaunchPlan plan)
    {
        _plan = plan;
        if (plan.FileName.Contains('/'))
        {
            File = ForChild(plan.FileName) ?? throw StartDiagnosis.NotFromHere();
        }
        else
        {
            _searchPath = Environment.GetEnvironmentVariable("PATH") ?? DefaultSearchPath;
            File = Search() ?? throw StartDiagnosis.NotOnPath(_isThereButNotExecutable);
        }
    }

    /// <summary>Gets the file.</summary>
    public string File { get; private set; }

    /// <summary>Moves on to the next file of that name on PATH, if this one could not be executed.</summary>
    /// <param name="failure">The reason why the file could not be started.</param>
    /// <returns>False if there is no such file, or if another program would have failed as well.</returns>
    public bool TryPassOver(Win32Exception failure)
    {
        if (!IsPassedOver(failure))
        {
            return false;
        }

        if (failure.NativeErrorCode == Errno.EACCES && _denial is null)
        {
            _deniedFile = File;
            _denial = failure;
        }

        string? next = Search();
        File = next ?? File;
        return next is not null;
    }

    /// <summary>
    /// Explains why there is no child. As with execvp(3), a file that was skipped for lack of a permission takes
    /// precedence.
    /// </summary>
    public readonly LaunchException Explain(Win32Exception failure)
    {
        bool isPassedOver = IsPassedOver(failure);
        return isPassedOver && _denial is not null ? StartDiagnosis.Explain(_plan, _deniedFile!, _denial)
            : isPassedOver && _isThereButNotExecutable ? StartDiagnosis.NotOnPath(isThereButNotExecutable: true)
            : StartDiagnosis.Explain(_plan, File, failure);
    }

    private readonly bool IsPassedOver(Win32Exception failure) =>
        _searchPath is not null
        && failure.NativeErrorCode is Errno.EACCES
            or Errno.ENOENT
            or Errno.ENOTDIR
            or Errno.ENODEV
            or Errno.ESTALE
            or Errno.ETIMEDOUT
        && StartDiagnosis.IsOfProgram(_plan, failure);

    private string? Search()
    {
        while (_next <= _searchPath!.Length)
        {
            ReadOnlySpan<char> directory = _searchPath.AsSpan(_next);
            int length = directory.IndexOf(':');
            directory = length < 0 ? directory : directory[..length];
            _next += directory.Length + 1;
            string candidate = string.Concat(directory.IsEmpty ? "." : directory, "/", _plan.FileName);
            if (!IsExecutable(candidate, out bool isThere))
            {
                _isThereButNotExecutable |= isThere;
            }
            else if (ForChild(candidate) is string file)
            {
                return file;
            }
        }

        return null;
    }

    // Directories and FIFOs can have the x bit, too. A directory on PATH that may not be searched is skipped as if it
    // did not exist.
    private static unsafe bool IsExecutable(string path, out bool isThere)
    {
        isThere = LibC.Access(path, LibC.X_OK) == 0;
        if (!isThere)
        {
            isThere = Marshal.GetLastPInvokeError() == Errno.EACCES && LibC.Access(path, LibC.F_OK) == 0;
            return false;
        }

        LibC.StatusX status;
        return LibC.StatX(path, LibC.STATX_TYPE, &status) != 0 || (status.stx_mode & LibC.S_IFMT) == LibC.S_IFREG;
    }

    // The child changes its directory before it executes the program. Path.GetFullPath does not fit: it drops
    // "link/..", while the kernel goes to the parent of the link's target.
    private readonly string? ForChild(string path)
    {
        if (_plan.WorkingDirectory is null || path.StartsWith('/'))
        {
            return path;
        }

        try
        {
            return string.Concat(Environment.CurrentDirectory, "/", path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The current directory has been deleted.
            return null;
        }
    }
}
