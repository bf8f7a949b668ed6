using System.ComponentModel;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Backends.Windows.Io;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Start;

/// <summary>
/// Represents the null device, for a standard stream that is not used. The process holds one handle for good, so that
/// any thread may start a program while any engine is disposed. Thread-safe.
/// </summary>
[SupportedOSPlatform("windows")]
internal static class NullDevice
{
    private static nint s_handle;

    /// <summary>Gets the handle, with which the device can be read and written.</summary>
    /// <exception cref="Win32Exception">The device cannot be opened now.</exception>
    public static nint Handle
    {
        get
        {
            if (Volatile.Read(ref s_handle) is nint handle and not 0)
            {
                return handle;
            }

            nint result = Kernel32.CreateFile(
                @"\\.\NUL",
                Kernel32.GENERIC_READ | Kernel32.GENERIC_WRITE,
                Kernel32.FILE_SHARE_READ | Kernel32.FILE_SHARE_WRITE,
                Kernel32.OPEN_EXISTING);
            OwnedHandle opened = OwnedHandle.From(result, "CreateFileW of NUL");
            handle = Interlocked.CompareExchange(ref s_handle, opened.Value, 0);
            if (handle == 0)
            {
                return opened.Value;
            }

            opened.Close();
            return handle;
        }
    }
}
