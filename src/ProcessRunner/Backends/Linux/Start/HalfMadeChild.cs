using System;
using System.Globalization;
using System.IO;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Processes;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Provides access, by way of the process table, to a child that does not run its program yet, for starts that have no
/// pidfd until they are over. Its starter sleeps, so the child is the youngest child of the starter's thread. Stateless
/// and thread-safe.
/// </summary>
[SupportedOSPlatform("linux")]
internal static class HalfMadeChild
{
    /// <summary>Sends a signal to the child.</summary>
    /// <param name="starter">The id of the thread that starts the child.</param>
    /// <param name="number">The signal.</param>
    /// <param name="ifStopped">Whether to send the signal only if the child is stopped.</param>
    /// <returns>
    /// False if there is no such child, or it cannot be found: not every kernel has proc_pid_task_children(5).
    /// </returns>
    public static bool Signal(int starter, int number, bool ifStopped = false) =>
        Find(starter) is int processId && SignalIfHalfMade(processId, number, ifStopped);

    /// <summary>Looks for the id of the child.</summary>
    /// <returns>Null if there is no such child, or it cannot be found.</returns>
    public static int? Find(int starter)
    {
        try
        {
            // Otherwise the numbers in the table belong to another namespace.
            bool isOurs = new ProcessTable().LookWhoseItIs() == ProcessSight.Clear;
            string children = isOurs ? File.ReadAllText($"/proc/self/task/{starter}/children").TrimEnd() : "";
            ReadOnlySpan<char> last = children.AsSpan(children.LastIndexOf(' ') + 1);
            return int.TryParse(last, CultureInfo.InvariantCulture, out int youngest)
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
            // The pidfd names a child of this process that has not been reaped, so the stat line read by its number
            // describes it.
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
