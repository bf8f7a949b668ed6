using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Backends.Linux.Processes;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Represents the start of one child while it lasts: its description, and the means to signal the child while its
/// starter sleeps in the kernel.
/// </summary>
/// <remarks>The child's gate guards the frame and the starter; everything else never changes.</remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class StartInProgress(LinuxChild child, LaunchOrder order) : IStartProgress
{
    private CloneCode.Frame* _frame;
    private int _starter;

    /// <summary>
    /// Gets whether the child is killed when this process ends, although those of its engine may not be.
    /// </summary>
    public bool KillsOnParentExit => order.Plan.Settings is { KillsOnParentExit: true };

    /// <summary>Starts the child on the calling thread. The caller does not hold the gate.</summary>
    /// <exception cref="LaunchException">The child could not be started; nothing of it is left.</exception>
    public StartedProcess Run(ChildMark mark) => child.Backend.Spawn(order, mark, this);

    /// <summary>
    /// Sends a signal to the child whose start is in progress, if there is one. Requires the gate.
    /// </summary>
    /// <returns>False if there is no such child, or not yet.</returns>
    public bool Signal(int number) =>
        FindPidFd() is int pidfd
            ? Signal(pidfd, number)
            : _starter != 0 && HalfMadeChild.Signal(_starter, number);

    /// <summary>
    /// Looks for the id of the child whose start is in progress, if there is one. Requires the gate.
    /// </summary>
    /// <returns>Null if there is no such child, or it cannot be found.</returns>
    public int? FindProcessId(ProcessTable table) =>
        FindPidFd() is int pidfd ? table.ReadProcessId(pidfd)
        : _starter != 0 ? HalfMadeChild.Find(_starter)
        : null;

    public void OnCloning(CloneCode.Frame* frame) => Set(frame, starter: 0);

    public void OnSpawning(int thread) => Set(frame: null, thread);

    public void OnStarted() => Set(frame: null, starter: 0);

    // A clone that fails late, at the limit of processes, has written a number that is free again: it may be the pidfd
    // of another child. From the child's first moment on it stays the child's until the starter continues. The id that
    // the kernel writes then is that of the child's own namespace, and so only a sign.
    private int? FindPidFd() =>
        _frame is not null && Volatile.Read(ref _frame->HasBegun) != 0 ? _frame->PidFd : null;

    // The starter does not know the child's id yet. If the signal needs the id, it comes from the process table.
    private static bool Signal(int pidfd, int number) =>
        LibC.PidFdSendSignal(pidfd, number) == 0
        || (new ProcessTable() is ProcessTable table
            && table.LookWhoseItIs() == ProcessSight.Clear
            && table.ReadProcessId(pidfd) is int processId
            && PidFd.Signal(pidfd, processId, number));

    private void Set(CloneCode.Frame* frame, int starter)
    {
        using (Uninterruptible.Lock(child.Gate))
        {
            _frame = frame;
            _starter = starter;
        }
    }
}
