using System;
using System.Collections.Generic;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Represents a client of the jobserver of GNU make ("POSIX Jobserver" in its manual): a pipe that holds one byte for
/// every job that may run beside the first. Each byte is returned as it was taken, because make may distinguish them.
/// </summary>
/// <remarks>
/// The pipe is reopened, by its name or through /proc/self/fd, so that only this process's own file description is
/// non-blocking. Changing the description that make shares with all its children would break theirs.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class Jobserver : JobTokens
{
    private readonly Stack<byte> _held = new();
    private OwnedDescriptor _pipe;

    private Jobserver(OwnedDescriptor pipe) => _pipe = pipe;

    public override int Held => _held.Count;

    /// <summary>Connects to the jobserver that MAKEFLAGS names.</summary>
    /// <returns>
    /// Null if MAKEFLAGS names no jobserver or something that is not a pipe, or if make has closed the pipe for this
    /// process (a makefile line without '+').
    /// </returns>
    public static Jobserver? Open()
    {
        string? path = PathIn(MakeFlags.Current);
        int number = path is null ? -1 : LibC.Open(path, LibC.O_RDWR | LibC.O_NONBLOCK | LibC.O_CLOEXEC, 0);
        if (number < 0)
        {
            return null;
        }

        OwnedDescriptor pipe = OwnedDescriptor.From(number, "open");
        if (IsPipe(pipe.Number))
        {
            return new Jobserver(pipe);
        }

        pipe.Close();
        return null;
    }

    /// <summary>Returns the path by which a jobserver can be opened, or null.</summary>
    public static string? PathIn(string makeFlags)
    {
        string? form = MakeFlags.ValueOf(makeFlags, "--jobserver-auth=", "--jobserver-fds=");
        if (form is null)
        {
            return null;
        }

        if (form.StartsWith("fifo:", StringComparison.Ordinal))
        {
            return form["fifo:".Length..];
        }

        // By negative numbers make excludes this process from the jobserver.
        return form.Split(',') is [string read, string write]
            && int.TryParse(read, out int reading)
            && int.TryParse(write, out int writing)
            && IsInherited(reading)
            && IsInherited(writing)
            ? $"/proc/self/fd/{reading}"
            : null;
    }

    public override bool TryTake()
    {
        // Reserves the room first: a token that was taken must be kept.
        _held.EnsureCapacity(_held.Count + 1);
        byte token;
        if (LibC.Read(_pipe.Number, &token, 1) != 1)
        {
            return false;
        }

        _held.Push(token);
        return true;
    }

    public override bool TryReturn()
    {
        // Another client that returns more than it took can fill the pipe.
        byte token = _held.Peek();
        if (LibC.Write(_pipe.Number, &token, 1) != 1)
        {
            return false;
        }

        _held.Pop();
        return true;
    }

    public override void Dispose()
    {
        while (_held.Count > 0 && TryReturn())
        {
        }

        _held.Clear();
        _pipe.Close();
    }

    // Make may have closed the descriptors for this process, and their numbers may be reused by now. Descriptors that
    // the runtime opens are close-on-exec.
    private static bool IsInherited(int descriptor) =>
        LibC.Fcntl(descriptor, LibC.F_GETFD, 0) == 0 && IsPipe(descriptor);

    // Only a pipe has such a size. A byte of any other file is not a token.
    private static bool IsPipe(int descriptor) => LibC.Fcntl(descriptor, LibC.F_GETPIPE_SZ, 0) > 0;
}
