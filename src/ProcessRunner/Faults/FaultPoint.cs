using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ProcessRunner.Faults;

/// <summary>
/// The seam by which tests have a call fail as the system would: whatever can fail for a reason outside this library asks here
/// first. Nobody decides but in those tests, and then it costs the look at one field. Any thread.
/// </summary>
internal static class FaultPoint
{
    private static Func<string, int>? s_decide;

    /// <summary>
    /// Sets who decides: told the name of a call before it is made, he answers with the error number by which it is to fail,
    /// or with zero. Null lets every call be made.
    /// </summary>
    public static Func<string, int>? Decide
    {
        set => s_decide = value;
    }

    /// <summary>Whether a call that sets errno is to fail, as it is set then.</summary>
    public static bool Fails(string call) => s_decide is not null && SetErrorOf(call);

    /// <summary>The error number by which a call is to fail that returns it, or zero.</summary>
    public static int ErrorOf(string call) => s_decide is null ? 0 : Ask(call);

    /// <summary>Throws what the runtime throws where there is no memory, if that is to be.</summary>
    /// <exception cref="OutOfMemoryException">There is to be none.</exception>
    public static void Allocate(string what)
    {
        if (s_decide is not null && Ask(what) != 0)
        {
            throw new InsufficientMemoryException();
        }
    }

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
