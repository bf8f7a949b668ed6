using System;
using System.ComponentModel;
using System.IO;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Finds the file that a command's name stands for, before anything is opened or started. A name with a separator is a path,
/// relative to the caller's directory. One without is looked up on the caller's PATH as execvp(3) does: what cannot be executed
/// is passed over, be it that only the exec tells. A file in an unknown format ends the search, which is where a shell takes it
/// for a script.
/// </summary>
/// <remarks>A local of the start, never copied.</remarks>
[SupportedOSPlatform("linux")]
internal struct ProgramPath
{
    // What execvp(3) searches when PATH is not set.
    private const string DefaultSearchPath = "/bin:/usr/bin";

    private readonly ProcessCommand _command;

    // Null if the name is a path.
    private readonly string? _searchPath;

    // Where what is still to be searched begins.
    private int _next;
    private bool _isThereButNotExecutable;
    private string? _deniedFile;
    private Win32Exception? _denial;

    /// <exception cref="ProcessStartException">There is no such program.</exception>
    public ProgramPath(ProcessCommand command)
    {
        _command = command;
        if (command.FileName.Contains('/'))
        {
            File = ForChild(command.FileName) ?? throw StartDiagnosis.NotFromHere(command);
        }
        else
        {
            _searchPath = Environment.GetEnvironmentVariable("PATH") ?? DefaultSearchPath;
            File = Search() ?? throw StartDiagnosis.NotOnPath(command, _isThereButNotExecutable);
        }
    }

    /// <summary>The file.</summary>
    public string File { get; private set; }

    /// <summary>Goes on to the next file of that name on PATH, if it could not be executed.</summary>
    /// <param name="failure">Why it could not be started.</param>
    /// <returns>False if there is none, or if another program would have failed as well.</returns>
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

    /// <summary>Says why there is no child: if a file was passed over for lack of a right, that counts, as with execvp(3).</summary>
    public readonly ProcessStartException Explain(Win32Exception failure)
    {
        bool isPassedOver = IsPassedOver(failure);
        return isPassedOver && _denial is not null ? StartDiagnosis.Explain(_command, _deniedFile!, _denial)
            : isPassedOver && _isThereButNotExecutable ? StartDiagnosis.NotOnPath(_command, isThereButNotExecutable: true)
            : StartDiagnosis.Explain(_command, File, failure);
    }

    private readonly bool IsPassedOver(Win32Exception failure) =>
        _searchPath is not null
        && failure.NativeErrorCode is Errno.EACCES or Errno.ENOENT or Errno.ENOTDIR or Errno.ENODEV or Errno.ESTALE or Errno.ETIMEDOUT
        && StartDiagnosis.IsOfProgram(_command, failure);

    private string? Search()
    {
        while (_next <= _searchPath!.Length)
        {
            ReadOnlySpan<char> directory = _searchPath.AsSpan(_next);
            int length = directory.IndexOf(':');
            directory = length < 0 ? directory : directory[..length];
            _next += directory.Length + 1;
            string candidate = string.Concat(directory.IsEmpty ? "." : directory, "/", _command.FileName);
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

    // Directories and FIFOs can have the x bit, too. A directory of PATH that may not be searched is passed over as if it were not
    // there.
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

    // The child changes its directory before it executes the program. Not Path.GetFullPath: it takes "link/.." for nothing, while
    // the kernel goes to the parent of what the link leads to.
    private readonly string? ForChild(string path)
    {
        if (_command.WorkingDirectory is null || path.StartsWith('/'))
        {
            return path;
        }

        try
        {
            return string.Concat(Environment.CurrentDirectory, "/", path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // It has been deleted.
            return null;
        }
    }
}
