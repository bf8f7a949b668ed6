using System;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Faults;

/// <summary>
/// Plays runs of the test host, each of which must end with the right result or a typed error and leave nothing behind,
/// whichever system call fails with whichever error. A host repeats its run hundreds of times, and another call fails
/// each time. The tests of these runs are divided into classes because classes run in parallel.
/// </summary>
internal static class FaultSweep
{
    // For all runs together, on a busy machine: the host gives each of them a minute.
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(20);

    /// <summary>Plays a run.</summary>
    public static void Play(string run) => Guard.Run(s_limit, () => HostProcess.Play("fault-sweep", run));

    /// <summary>Plays a run whose children have ended before the library looks at them.</summary>
    public static void PlayEnded(string run) => Guard.Run(
        s_limit, () => HostProcess.Play("fault-sweep", run, "ended"));

    /// <summary>Plays a run whose children start by <c>posix_spawn</c>.</summary>
    public static void PlayByPosixSpawn(string run) => Guard.Run(
        s_limit, () => HostProcess.PlayWith("USE_POSIX_SPAWN=1 exec \"$@\"", "fault-sweep", run));
}
