using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Io;

/// <summary>
/// Represents a handle with one owner: the field that holds this struct, which is never copied. Closing twice does
/// nothing. The default value is closed.
/// </summary>
[SupportedOSPlatform("windows")]
internal struct OwnedHandle
{
    private OwnedHandle(nint handle) => Value = handle;

    /// <summary>Gets whether the handle is open.</summary>
    public readonly bool IsOpen => Value != 0;

    /// <summary>Gets the value of the handle; zero if it is closed.</summary>
    public nint Value { get; private set; }

    /// <summary>Takes ownership of the result of a system call.</summary>
    /// <exception cref="Win32Exception">The call failed.</exception>
    public static OwnedHandle From(nint result, string call) =>
        result is 0 or Kernel32.INVALID_HANDLE_VALUE ? throw SystemError.Of(call) : new OwnedHandle(result);

    /// <summary>Transfers the handle to another owner.</summary>
    public OwnedHandle Take()
    {
        OwnedHandle taken = this;
        Value = 0;
        return taken;
    }

    /// <summary>Closes the handle once.</summary>
    public void Close()
    {
        nint handle = Value;
        Value = 0;
        if (handle != 0 && !Kernel32.CloseHandle(handle))
        {
            int error = Marshal.GetLastPInvokeError();
            throw new Win32Exception(error, $"CloseHandle: handle {handle} was closed by somebody else");
        }
    }
}
