using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ProcessRunner.Faults;

/// <summary>
/// Provides the seam through which tests make a call fail as the system would: every call that can fail for a reason
/// outside this library asks here first. Outside those tests there is nothing to decide, and the question costs a read
/// of one field. Thread-safe.
/// </summary>
/// <remarks>
/// The decision belongs to the process, because the calls know no engine. One test sets it at a time; the field is a
/// single reference, so no lock guards it.
/// </remarks>
internal static class FaultPoint
{
    /// <summary>The name of an allocation of managed memory.</summary>
    public const string ManagedMemory = "managed memory";

    private static Func<string, int>? s_decide;

    /// <summary>
    /// Sets the decision. It receives the name of a call before the call is made, and returns the error number with
    /// which the call fails, or zero. Null lets every call be made.
    /// </summary>
    public static Func<string, int>? Decide
    {
        set => s_decide = value;
    }

    /// <summary>Returns whether a call that sets errno fails, and sets errno if so.</summary>
    public static bool Fails(string call) => s_decide is not null && SetErrorOf(call);

    /// <summary>Returns the error number of a call that returns its error, or zero.</summary>
    public static int ErrorOf(string call) => s_decide is null ? 0 : Ask(call);

    /// <summary>Fails an allocation as the runtime does when memory is exhausted, if the decision says so.</summary>
    /// <exception cref="OutOfMemoryException">The allocation fails.</exception>
    public static void Allocate(string what)
    {
        if (s_decide is not null && Ask(what) != 0)
        {
            throw new InsufficientMemoryException();
        }
    }

    /// <summary>Fails an allocation of managed memory, as <see cref="Allocate"/> does.</summary>
    /// <exception cref="OutOfMemoryException">The allocation fails.</exception>
    public static void AllocateManaged() => Allocate(ManagedMemory);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool SetErrorOf(string call)
    {
        int error = Ask(call);
        if (error != 0)
        {
            Marshal.SetLastPInvokeError(error);
        }

        return error != 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Ask(string call) => s_decide?.Invoke(call) ?? 0;
}
