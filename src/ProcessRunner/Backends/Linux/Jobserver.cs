using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Linq;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// A client of the jobserver of GNU make ("POSIX Jobserver" in its manual): a pipe that holds one byte for every job that
/// may run beside the first. Bytes are given back as they were taken, since make may tell them apart.
/// </summary>
/// <remarks>
/// The pipe is opened anew, by its name or through /proc/self/fd, so that only our own description of it does not block: to
/// change the one that make shares with all its children would break theirs.
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
    /// Null if it names none, or something that is no pipe, or if make has closed it for this process (a line without '+' in
    /// the makefile).
    /// </returns>
    public static Jobserver? Open()
    {
        string? path = PathIn(Environment.GetEnvironmentVariable("MAKEFLAGS") ?? "");
        int number = path is null ? -1 : LibC.Open(path, LibC.O_RDWR | LibC.O_NONBLOCK | LibC.O_CLOEXEC, 0);
        if (number < 0)
        {
            return null;
        }

        OwnedDescriptor pipe = OwnedDescriptor.From(number, "open");
        if (IsPipe(number))
        {
            return new Jobserver(pipe);
        }

        pipe.Close();
        return null;
    }

    /// <summary>The path by which a jobserver can be opened, or null.</summary>
    public static string? PathIn(string makeFlags)
    {
        // The last one counts: make adds its own behind what it was given.
        string? form = makeFlags.Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .Select(word => word.StartsWith("--jobserver-auth=", StringComparison.Ordinal) || word.StartsWith("--jobserver-fds=", StringComparison.Ordinal)
                ? word[(word.IndexOf('=') + 1)..]
                : null)
            .LastOrDefault(form => form is not null);
        if (form is null)
        {
            return null;
        }

        if (form.StartsWith("fifo:", StringComparison.Ordinal))
        {
            return form["fifo:".Length..];
        }

        // Negative numbers are make's way to say that this process is not to take part.
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
        // Not with a token in hand that could not be kept.
        _held.EnsureCapacity(_held.Count + 1);
        byte token;
        if (LibC.Read(_pipe.Number, &token, 1) != 1)
        {
            return false;
        }

        _held.Push(token);
        return true;
    }

    public override void Return()
    {
        byte token = _held.Pop();
        if (LibC.Write(_pipe.Number, &token, 1) != 1)
        {
            // Cannot be: the pipe had room for it when it was taken, and its reading end is our own.
            throw new Win32Exception("A token of the jobserver could not be given back.");
        }
    }

    public override void Dispose()
    {
        while (_held.Count > 0)
        {
            Return();
        }

        _pipe.Close();
    }

    // Make may have closed them for this process, and the numbers may be something else by now. What the runtime opens is
    // close-on-exec.
    private static bool IsInherited(int descriptor) => LibC.Fcntl(descriptor, LibC.F_GETFD, 0) == 0 && IsPipe(descriptor);

    // Only a pipe has such a size. What is in any other file is no token.
    private static bool IsPipe(int descriptor) => LibC.Fcntl(descriptor, LibC.F_GETPIPE_SZ, 0) > 0;
}
