using System;
using System.Globalization;
using System.IO;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// A child that has not come to its program yet, as the process table knows it: for starts that have no pidfd until they are
/// over. Its starter sleeps, so that it is the youngest child of its starter's thread. No state; any thread.
/// </summary>
[SupportedOSPlatform("linux")]
internal static class HalfMadeChild
{
    /// <summary>Sends it a signal.</summary>
    /// <param name="starter">The thread that starts it.</param>
    /// <param name="number">The signal.</param>
    /// <param name="ifStopped">Whether it is only meant if it is stopped.</param>
    /// <returns>False if there is none, or none to be found: proc_pid_task_children(5) is not in every kernel.</returns>
    public static bool Signal(int starter, int number, bool ifStopped = false) =>
        Find(starter) is int processId && SignalIfHalfMade(processId, number, ifStopped);

    /// <summary>Looks for its id.</summary>
    /// <returns>Null if there is none, or none to be found.</returns>
    public static int? Find(int starter)
    {
        try
        {
            // Else the numbers in the table are those of another namespace.
            bool isOurs = new ProcessTable().LookWhoseItIs() == ProcessSight.Clear;
            string children = isOurs ? File.ReadAllText($"/proc/self/task/{starter}/children").TrimEnd() : "";
            return int.TryParse(children.AsSpan(children.LastIndexOf(' ') + 1), CultureInfo.InvariantCulture, out int youngest)
                ? youngest
                : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static bool SignalIfHalfMade(int processId, int number, bool ifStopped)
    {
        int pidfd = LibC.PidFdOpen(processId);
        if (pidfd < 0)
        {
            return false;
        }

        try
        {
            // It is ours, so what was read of that number is about it.
            return new ProcessTable().ReadStat(processId, out ProcessStat stat) == ProcessSight.Clear
                && stat.IsHalfMade
                && (stat.IsStopped || !ifStopped)
                && !PidFd.IsTaken(pidfd)
                && PidFd.Signal(pidfd, processId, number);
        }
        finally
        {
            _ = LibC.Close(pidfd);
        }
    }
}
