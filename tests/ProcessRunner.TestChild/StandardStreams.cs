using System;
using System.Globalization;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;

namespace ProcessRunner.TestChild;

/// <summary>
/// Reads and writes descriptors 0, 1 and 2 without the Console class, whose start-up cost and buffers would disturb a
/// test.
/// </summary>
internal static unsafe class StandardStreams
{
    public const int Input = 0;
    public const int Output = 1;
    public const int Error = 2;

    /// <summary>The number of bytes that the words read or write at once.</summary>
    public const int ChunkSize = 64 * 1024;

    private const string OwnDescriptors = "/proc/self/fd/";

    // The runtime may reuse the number of a closed descriptor for its own file, which no word may touch.
    private static int s_closedSet;

    public static void WriteLine(int descriptor, string text) => Write(descriptor, Encoding.UTF8.GetBytes(text + "\n"));

    public static void Write(int descriptor, ReadOnlySpan<byte> bytes)
    {
        ThrowIfClosed(descriptor);
        fixed (byte* start = bytes)
        {
            int written = 0;
            while (written < bytes.Length)
            {
                nint count = WriteOnce(descriptor, start + written, bytes.Length - written);
                if (count >= 0)
                {
                    written += (int)count;
                }
                else
                {
                    ThrowUnlessInterrupted(descriptor);
                }
            }
        }
    }

    /// <summary>Reads the available bytes, up to the length of the buffer; 0 at the end of the input.</summary>
    public static int ReadInput(Span<byte> buffer)
    {
        ThrowIfClosed(Input);
        fixed (byte* start = buffer)
        {
            while (true)
            {
                nint count = ReadOnce(start, buffer.Length);
                if (count >= 0)
                {
                    return (int)count;
                }

                ThrowUnlessInterrupted(Input);
            }
        }
    }

    public static void Close(int descriptor)
    {
        ThrowIfClosed(descriptor);
        if (OperatingSystem.IsWindows())
        {
            // The runtime has no duplicates there.
            s_closedSet |= 1 << descriptor;
            _ = Kernel32.Close(Kernel32.Standard(descriptor));
            return;
        }

        int nullDevice = OpenNullDevice();
        ReplaceDuplicates(descriptor, nullDevice);
        _ = LibC.Close(nullDevice);
        s_closedSet |= 1 << descriptor;
        if (LibC.Close(descriptor) < 0)
        {
            throw Failed(descriptor);
        }
    }

    public static void ReplaceAllByNullDevice()
    {
        if (OperatingSystem.IsWindows())
        {
            ReplaceAllByNul();
            return;
        }

        int nullDevice = OpenNullDevice();
        for (int descriptor = Input; descriptor <= Error; descriptor++)
        {
            ReplaceDuplicates(descriptor, nullDevice);
            if (LibC.Duplicate(nullDevice, descriptor) < 0)
            {
                throw Failed(descriptor);
            }
        }

        // If a standard descriptor was closed before, the device was opened under its number and must stay open.
        if (nullDevice > Error)
        {
            _ = LibC.Close(nullDevice);
        }

        s_closedSet = 0;
    }

    private static nint WriteOnce(int descriptor, byte* bytes, int count)
    {
        if (!OperatingSystem.IsWindows())
        {
            return LibC.Write(descriptor, bytes, count);
        }

        int done = 0;
        return Kernel32.Write(Kernel32.Standard(descriptor), bytes, count, &done, 0) != 0 ? done : -1;
    }

    private static nint ReadOnce(byte* bytes, int count)
    {
        if (!OperatingSystem.IsWindows())
        {
            return LibC.Read(Input, bytes, count);
        }

        int done = 0;
        return Kernel32.Read(Kernel32.Standard(Input), bytes, count, &done, 0) != 0 ? done
            : Marshal.GetLastPInvokeError() == Kernel32.BrokenPipeError ? 0
            : -1;
    }

    private static void ReplaceAllByNul()
    {
        nint nul = new FileStream("NUL", FileMode.Open, FileAccess.ReadWrite).SafeFileHandle.DangerousGetHandle();
        for (int descriptor = Input; descriptor <= Error; descriptor++)
        {
            _ = Kernel32.Close(Kernel32.Standard(descriptor));
            Kernel32.SetStandard(descriptor, nul);
        }

        s_closedSet = 0;
    }

    // The runtime keeps duplicates of 0, 1 and 2. While they are open, the other end of a pipe would never see the
    // close. They are replaced instead of closed, so that the runtime cannot write into another file.
    private static void ReplaceDuplicates(int descriptor, int nullDevice)
    {
        string? target = TargetOf(Name(descriptor));
        if (target is null)
        {
            return;
        }

        foreach (string path in Directory.GetFileSystemEntries(OwnDescriptors))
        {
            int candidate = int.Parse(path.AsSpan(OwnDescriptors.Length), CultureInfo.InvariantCulture);
            if (candidate > Error && candidate != nullDevice && TargetOf(path) == target)
            {
                _ = LibC.Duplicate(nullDevice, candidate, LibC.CloseOnExec);
            }
        }
    }

    private static string Name(int descriptor) => OwnDescriptors + descriptor.ToString(CultureInfo.InvariantCulture);

    private static string? TargetOf(string path) => new FileInfo(path).LinkTarget;

    private static int OpenNullDevice()
    {
        fixed (byte* path = "/dev/null\0"u8)
        {
            int descriptor = LibC.Open(path, LibC.ReadWrite);
            return descriptor >= 0 ? descriptor : throw new WordFailedException("/dev/null: " + LastError());
        }
    }

    private static void ThrowIfClosed(int descriptor)
    {
        if ((s_closedSet & (1 << descriptor)) != 0)
        {
            throw Closed(descriptor);
        }
    }

    private static void ThrowUnlessInterrupted(int descriptor)
    {
        switch (Marshal.GetLastPInvokeError())
        {
            case Kernel32.BrokenPipeError or Kernel32.NoDataError or Kernel32.NotConnectedError
                or Kernel32.InvalidHandleError when OperatingSystem.IsWindows():
                throw Closed(descriptor);
            case LibC.InterruptedError when !OperatingSystem.IsWindows():
                return;
            case LibC.BrokenPipeError:
            case LibC.BadDescriptorError:
                throw Closed(descriptor);
            default:
                throw Failed(descriptor);
        }
    }

    private static WordFailedException Closed(int descriptor) =>
        new(StreamName(descriptor) + " is closed", ExitCodes.StreamClosed);

    private static WordFailedException Failed(int descriptor) => new(StreamName(descriptor) + ": " + LastError());

    private static string LastError() => Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError());

    private static string StreamName(int descriptor) => descriptor switch
    {
        Input => "standard input",
        Output => "standard output",
        _ => "standard error",
    };
}
