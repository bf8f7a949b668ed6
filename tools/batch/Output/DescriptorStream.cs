using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;

namespace Batch.Output;

/// <summary>
/// Writes to a standard stream of this process. The console's own stream treats a closed pipe as success. A file stream
/// keeps its own position, and would overwrite bytes that other processes have appended to the same file.
/// </summary>
internal sealed partial class DescriptorStream(int descriptor) : Stream
{
    private const int EINTR = 4;
    private const int EPIPE = 32;
    private const int ERROR_BROKEN_PIPE = 109;
    private const int ERROR_NO_DATA = 232;

    // STD_OUTPUT_HANDLE is -11, and STD_ERROR_HANDLE is -12.
    private const int FirstHandle = -10;

    // EAGAIN is 11 on Linux, and 35 on macOS and the BSDs.
    private static readonly int s_tryAgain = OperatingSystem.IsLinux() ? 11 : 35;

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <exception cref="ClosedOutputException">The pipe has no reader.</exception>
    /// <exception cref="IOException">The descriptor refuses the bytes.</exception>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            nint written = WriteSome(buffer);
            buffer = buffer[(int)Math.Max(written, 0)..];
            if (written < 0)
            {
                OnError(Marshal.GetLastPInvokeError());
            }
        }
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    private nint WriteSome(ReadOnlySpan<byte> bytes)
    {
        ref byte first = ref MemoryMarshal.GetReference(bytes);
        return !OperatingSystem.IsWindows() ? WriteDescriptor(descriptor, ref first, bytes.Length)
            : WriteFile(GetStdHandle(FirstHandle - descriptor), ref first, bytes.Length, out int written, 0) ? written
            : -1;
    }

    private void OnError(int error)
    {
        switch (OperatingSystem.IsWindows(), error)
        {
            case (false, EINTR):
                break;

            // Another process that shares the terminal or pipe has made it non-blocking. It accepts more in a moment.
            case (false, _) when error == s_tryAgain:
                Thread.Sleep(1);
                break;

            case (false, EPIPE) or (true, ERROR_BROKEN_PIPE or ERROR_NO_DATA):
                throw new ClosedOutputException();

            default:
                string name = descriptor == 1 ? "standard output" : "standard error";
                throw new IOException($"{name} cannot be written: {Marshal.GetPInvokeErrorMessage(error)}.");
        }
    }

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    private static partial nint WriteDescriptor(int descriptor, ref byte bytes, nint count);

    [LibraryImport("kernel32")]
    private static partial nint GetStdHandle(int number);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool WriteFile(
        nint handle, ref byte bytes, int count, out int written, nint overlapped);
}
