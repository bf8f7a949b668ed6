using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// The soft limit of descriptors with which this process began. The runtime raises it to the hard one before any code of ours
/// runs, and a child would inherit that: programs that use select(2) then get descriptors beyond its 1,024, and those that close
/// every number up to the limit take long. Nothing tells the limit before but the parent, whose limits a process begins with
/// unless something between its fork and its exec has changed them.
/// </summary>
/// <remarks>Taken once, at the first start, since a parent can end. Immutable; any thread.</remarks>
[SupportedOSPlatform("linux")]
internal static unsafe class DescriptorLimit
{
    private static readonly long? s_atBeginning = OfParent();

    /// <summary>Gets the limits that a child is to have.</summary>
    /// <returns>
    /// False if it is to have ours: ours was not raised, or has been changed since, or it cannot be known what it was.
    /// </returns>
    public static bool TryGetForChild(LibC.ResourceLimit* limit)
    {
        if (s_atBeginning is not long atBeginning || !IsRaised(limit) || atBeginning >= limit->rlim_cur)
        {
            return false;
        }

        limit->rlim_cur = atBeginning;
        return true;
    }

    // A parent with the same hard limit and a lower soft one. One that is a .NET program has raised its own.
    private static long? OfParent()
    {
        LibC.ResourceLimit ours = default;
        LibC.ResourceLimit theirs = default;
        int parent = LibC.GetParentProcessId();
        bool isKnown = parent > 0
            && IsRaised(&ours)
            && LibC.GetResourceLimitOf(parent, LibC.RLIMIT_NOFILE, null, &theirs) == 0
            && LibC.GetParentProcessId() == parent
            && theirs.rlim_max == ours.rlim_max
            && theirs.rlim_cur < ours.rlim_cur;
        return isKnown ? theirs.rlim_cur : null;
    }

    private static bool IsRaised(LibC.ResourceLimit* limit) =>
        LibC.GetResourceLimit(LibC.RLIMIT_NOFILE, limit) == 0 && limit->rlim_cur == limit->rlim_max;
}
