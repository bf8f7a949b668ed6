using System;
using System.IO;
using System.Runtime.InteropServices;

namespace ProcessRunner.Backends.Primitives;

/// <summary>
/// Makes a managed write to a file beyond RLIMIT_FSIZE an <see cref="IOException"/>. Without a handler, SIGXFSZ ends
/// the process (setrlimit(2)), and managed code cannot block a signal. Children are not affected, because a handler
/// does not survive exec. Thread-safe.
/// </summary>
internal static class ManagedFileSize
{
    // The number on Linux, macOS and the BSDs.
    private const PosixSignal SIGXFSZ = (PosixSignal)25;

    private static readonly object s_gate = new();
    private static PosixSignalRegistration? s_registration;

    /// <summary>Handles the signal from now on, for as long as the process lives. Does nothing on Windows.</summary>
    /// <exception cref="IOException">The system lacks the resources for a handler.</exception>
    public static void Handle()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        using (Uninterruptible.Lock(s_gate))
        {
            s_registration ??= PosixSignalRegistration.Create(SIGXFSZ, static context => context.Cancel = true);
        }
    }

    /// <summary>Returns the error of a write for which .NET throws an exception of its own type (EFBIG).</summary>
    public static IOException ErrorOf(ArgumentOutOfRangeException exception, string path) =>
        new($"'{path}' cannot be written: it exceeds the limit of file sizes (RLIMIT_FSIZE)", exception);
}
