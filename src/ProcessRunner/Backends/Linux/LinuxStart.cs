using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// The start of one child, as long as it lasts: what it is started from, and the way to signal it while its starter sleeps in
/// the kernel.
/// </summary>
/// <remarks>The frame and the starter are guarded by the child's gate; the rest never changes.</remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class LinuxStart(LinuxChild child, LaunchOrder order) : IStartProgress
{
    private CloneCode.Frame* _frame;
    private int _starter;

    /// <summary>Starts the child on the calling thread. Called without the gate.</summary>
    /// <exception cref="ProcessStartException">The child could not be started; nothing of it is left.</exception>
    public StartedProcess Run(ChildMark mark) => child.Backend.Spawn(order, mark, this);

    /// <summary>Sends a signal to the child, if there is one whose start is under way. With the gate held.</summary>
    /// <returns>False if there is none yet, or none any more.</returns>
    public bool Signal(int number)
    {
        // The kernel writes the pidfd before the child runs, and the number is nobody else's until the starter goes on.
        return _frame is not null
            ? Volatile.Read(ref _frame->PidFd) is int pidfd and >= 0 && Signal(pidfd, number)
            : _starter != 0 && HalfMadeChild.Signal(_starter, number);
    }

    /// <summary>Looks for the id of the child, if there is one whose start is under way. With the gate held.</summary>
    /// <returns>Null if there is none, or none to be found.</returns>
    public int? FindProcessId(ProcessTable table) =>
        _frame is not null ? table.ReadProcessId(Volatile.Read(ref _frame->PidFd))
        : _starter != 0 ? HalfMadeChild.Find(_starter)
        : null;

    public void OnCloning(CloneCode.Frame* frame) => Set(frame, starter: 0);

    public void OnSpawning(int thread) => Set(frame: null, thread);

    public void OnStarted() => Set(frame: null, starter: 0);

    // Its starter has not been told its id yet, so that the table is asked where a signal needs one.
    private static bool Signal(int pidfd, int number) =>
        LibC.PidFdSendSignal(pidfd, number) == 0
        || (new ProcessTable() is ProcessTable table
            && table.LookWhoseItIs() == ProcessSight.Clear
            && table.ReadProcessId(pidfd) is int processId
            && !PidFd.IsTaken(pidfd)
            && PidFd.Signal(pidfd, processId, number));

    private void Set(CloneCode.Frame* frame, int starter)
    {
        using (Uninterruptible.Lock(child))
        {
            _frame = frame;
            _starter = starter;
        }
    }
}
