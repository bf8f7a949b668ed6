using System;
using System.Linq;
using System.Runtime.InteropServices;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// Represents a program whose execution hangs in the kernel until this object is disposed. Its file has a write lease
/// (fcntl(2)), which an exec must break first. To a starter, a file system that does not respond looks the same.
/// </summary>
internal sealed class HangingProgram : IDisposable
{
    private const int SIGURG = 23;

    private readonly TemporaryDirectory _directory = new();
    private int _descriptor;

    public HangingProgram(string script = "#!/bin/sh\nexit 7\n")
    {
        Path = _directory.Program("program", script);
        _descriptor = NativeMethods.Open(Path, NativeMethods.O_WRONLY | NativeMethods.O_CLOEXEC);

        // By default, the holder of the lease would receive SIGIO, which ends a program. SIGURG is ignored by default.
        _ = NativeMethods.Fcntl(_descriptor, NativeMethods.F_SETSIG, SIGURG);
        if (NativeMethods.Fcntl(_descriptor, NativeMethods.F_SETLEASE, NativeMethods.F_WRLCK) != 0)
        {
            throw new InvalidOperationException($"The lease was refused: errno {Marshal.GetLastPInvokeError()}.");
        }
    }

    public string Path { get; }

    public ProcessCommand Command => new(Path);

    /// <summary>Gets whether a process waits for the end of the lease.</summary>
    public bool IsAwaited => NativeMethods.Fcntl(_descriptor, NativeMethods.F_GETLEASE, 0) != NativeMethods.F_WRLCK;

    /// <summary>
    /// Returns whether a start of an engine waits for the end of the lease, which the kernel ends after some time
    /// (/proc/sys/fs/lease-break-time).
    /// </summary>
    public bool IsAwaitedBy(ProcessEngine engine) =>
        IsAwaited && Internals.LivesOf(engine).Any(
            life => life.Command.FileName == Path && !Internals.StartOf(life).IsDecided);

    /// <summary>Lets a hanging exec continue and fail: the file stays open for writing.</summary>
    public void Refuse() => _ = NativeMethods.Fcntl(_descriptor, NativeMethods.F_SETLEASE, NativeMethods.F_UNLCK);

    /// <summary>Lets the program be executed.</summary>
    public void Release()
    {
        _ = NativeMethods.Close(_descriptor);
        _descriptor = -1;
    }

    public void Dispose()
    {
        Release();
        _directory.Dispose();
    }
}
