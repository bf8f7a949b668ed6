using System;
using System.Collections.Generic;
using System.IO;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Streams.Pumps;

/// <summary>
/// Represents the lock of one file to which runs of this process append. It exists while one of them has the file open.
/// </summary>
/// <remarks>
/// Belongs to the process, because any two runs may append to one file. A file is known by its path without symbolic
/// links: .NET does not tell that two hard links are one file. <c>s_gate</c> guards the locks and their users.
/// </remarks>
internal sealed class AppendLock
{
    private static readonly object s_gate = new();

    // Two files that differ in case alone may share a lock; one file must not have two.
    private static readonly Dictionary<string, AppendLock> s_locks = new(StringComparer.OrdinalIgnoreCase);

    private readonly string _path;
    private int _users;

    private AppendLock(string path) => _path = path;

    /// <summary>Gets the lock of a file that exists. <see cref="Leave"/> must follow.</summary>
    public static AppendLock Of(string path)
    {
        string real = RealPath(path);
        using (Uninterruptible.Lock(s_gate))
        {
            if (!s_locks.TryGetValue(real, out AppendLock? file))
            {
                file = new AppendLock(real);
                s_locks.Add(real, file);
            }

            file._users++;
            return file;
        }
    }

    /// <summary>Notes that a run no longer needs the lock.</summary>
    public void Leave()
    {
        using (Uninterruptible.Lock(s_gate))
        {
            _users--;
            if (_users == 0)
            {
                s_locks.Remove(_path);
            }
        }
    }

    private static string RealPath(string path)
    {
        string full = Path.GetFullPath(path);
        try
        {
            full = File.ResolveLinkTarget(full, returnFinalTarget: true)?.FullName ?? full;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The links cannot be read, although the file can be opened.
        }

        return Path.GetDirectoryName(full) is string directory
            ? Path.Combine(RealPath(directory), Path.GetFileName(full))
            : full;
    }
}
