using System.ComponentModel;
using System.Runtime.InteropServices;

namespace ProcessRunner.Interop;

/// <summary>Creates the exceptions for failed system calls.</summary>
internal static class SystemError
{
    /// <summary>Creates the exception for the system call that has failed last, with its error number.</summary>
    /// <param name="call">The name of the system call, which begins the message.</param>
    public static Win32Exception Of(string call) => Of(call, Marshal.GetLastPInvokeError());

    /// <summary>Creates the exception for a system call that has failed.</summary>
    /// <param name="call">The name of the system call, which begins the message.</param>
    /// <param name="error">The error number.</param>
    public static Win32Exception Of(string call, int error) => new(error, Message(call, error));

    /// <summary>Formats the message of the exception for a system call that has failed.</summary>
    public static string Message(string call, int error) => $"{call}: {Marshal.GetPInvokeErrorMessage(error)}";

    /// <summary>Throws if the result of a system call is negative.</summary>
    /// <exception cref="Win32Exception">The call has failed.</exception>
    public static void ThrowIfFailed(int result, string call)
    {
        if (result < 0)
        {
            throw Of(call);
        }
    }
}
