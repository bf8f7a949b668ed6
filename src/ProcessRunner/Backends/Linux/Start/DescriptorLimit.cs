using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Provides the soft limit of open descriptors that this process was started with. The runtime raises the soft limit to
/// the hard limit before any user code runs, and a child would inherit that. Programs that use select(2) then receive
/// descriptors beyond its 1,024, and programs that close every number up to the limit take long. The only source for
/// the original limit is the parent: a process begins with its parent's limits unless something between its fork and
/// its exec has changed them.
/// </summary>
/// <remarks>Read once, at the first start, because a parent can end. Immutable and thread-safe.</remarks>
[SupportedOSPlatform("linux")]
internal static unsafe class DescriptorLimit
{
    private static readonly long? s_atBeginning = OfParent();

    /// <summary>Gets the descriptor limits for a child.</summary>
    /// <returns>
    /// False if the child inherits the limits of this process: the runtime did not raise them, they have changed since,
    /// or the original value is unknown.
    /// </returns>
    public static bool TryGetForChild(LibC.LimitPair* limit)
    {
        if (s_atBeginning is not long atBeginning || !IsRaised(limit) || atBeginning >= limit->rlim_cur)
        {
            return false;
        }

        limit->rlim_cur = atBeginning;
        return true;
    }

    // Only a parent with the same hard limit and a lower soft limit counts. A parent that is a .NET program has raised
    // its own soft limit.
    private static long? OfParent()
    {
        LibC.LimitPair ours = default;
        LibC.LimitPair theirs = default;
        int parent = LibC.GetParentProcessId();
        bool isKnown = parent > 0
            && IsRaised(&ours)
            && LibC.GetResourceLimitOf(parent, LibC.RLIMIT_NOFILE, null, &theirs) == 0
            && LibC.GetParentProcessId() == parent
            && theirs.rlim_max == ours.rlim_max
            && theirs.rlim_cur < ours.rlim_cur;
        return isKnown ? theirs.rlim_cur : null;
    }

    private static bool IsRaised(LibC.LimitPair* limit) =>
        LibC.GetResourceLimit(LibC.RLIMIT_NOFILE, limit) == 0 && limit->rlim_cur == limit->rlim_max;
}
