using System;
using System.Runtime.InteropServices;
using System.Threading;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Portable;

/// <summary>
/// Represents a child that <see cref="System.Diagnostics.Process"/> has started, or a simulated one. One worker thread
/// waits for its exit, and one serves each of its pipes; the deadline thread keeps its deadline. They report with the
/// child's gate held.
/// </summary>
/// <remarks>
/// <para>The child's gate guards all fields. The thread that waits for the exit disposes of the process.</para>
/// <para>The runtime reaps the child by itself, so the id of an exited child is not reserved until the release. Nothing
/// is sent to a child whose exit has been seen; a signal at the very moment at which the runtime reaps the child could
/// reach a stranger, if the system reused the id at once.</para>
/// </remarks>
internal sealed class PortableChild : BackendChild
{
    // On a busy machine another process can be about to start for a long time, and a look takes longer: so many are
    // made at least.
    private const int FewestLooks = 100;
    private static readonly TimeSpan s_killPatience = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_killPause = TimeSpan.FromMilliseconds(10);

    private readonly PortableBackend _backend;
    private readonly IPortableStart _start;
    private readonly Action _awaitExit;
    private readonly Action _tellReleased;
    private IChildEvents? _events;
    private ChildStreams? _streams;
    private BackendTimer? _survey;
    private BackendTimer? _killRetry;
    private PortableProcess? _process;
    private PortablePipes? _pipes;
    private ResourceUse _use;
    private long _killUntil = MonotonicClock.Never;
    private int _reservedThreads;
    private int _looks;
    private bool _isKillDue;
    private bool _isBegun;
    private bool _hasExited;
    private bool _isDraining;
    private bool _isReleased;
    private bool _isExemptFromExitKill;

    /// <summary>Creates a child that has not been started.</summary>
    public PortableChild(PortableBackend backend, IPortableStart start)
    {
        _backend = backend;
        _start = start;
        _awaitExit = AwaitExit;
        _tellReleased = () => Events.OnReleased();
    }

    /// <summary>Gets the receiver of the child's events, from <see cref="Watch"/> on.</summary>
    public IChildEvents Events => _events!;

    public override bool HasUnreadOutput => _pipes is { AreHeldUp: true };

    // The exit is reported once all that the child has written is read. Until then the system is asked: this process
    // may have stood still since the exit.
    public override bool HasExited => _hasExited || (CanSignal && _process!.HasEnded);

    public override void Watch(IChildEvents events, ChildStreams streams)
    {
        _events = events;
        _streams = streams;
        _backend.Add(this);
    }

    public override void Start()
    {
        _start.Prepare();
        _reservedThreads = 1 + _start.Pipes;
        _backend.Workers.Reserve(_reservedThreads);
        try
        {
            _backend.BeginStart();
            try
            {
                _backend.Workers.RunAndWait(() => _start.Run(Adopt));
            }
            finally
            {
                _backend.EndStart();
            }
        }
        catch
        {
            Unreserve();
            throw;
        }
    }

    public override void Begin()
    {
        AssertGate();
        _isBegun = true;
        _pipes!.Begin(_backend.Workers);
        _backend.Workers.Run(_awaitExit);
    }

    // The worker threads serve the child in any case.
    public override void Serve()
    {
    }

    public override void SetDeadline(long instant)
    {
        AssertGate();
        if (instant != Deadline && !_isReleased)
        {
            _backend.Deadlines.SetDeadline(this, instant);
        }
    }

    // No descendant can be found after the exit. The answer must not come inside the question.
    public override void Survey()
    {
        _survey ??= _backend.CreateTimer(_ => AnswerSurvey());
        _survey.Set(MonotonicClock.Now);
    }

    public override bool RequestStop(PosixSignal signal) => CanSignal && _process!.RequestStop(signal);

    public override bool RequestStop(Descendant descendant, PosixSignal signal) => false;

    public override void Kill()
    {
        if (!CanSignal)
        {
            return;
        }

        long now = MonotonicClock.Now;
        if (_killUntil == MonotonicClock.Never)
        {
            _killUntil = MonotonicClock.After(now, s_killPatience);
        }

        _looks++;
        if (_process!.TryKillTree())
        {
            EndKill();
        }
        else if (now < _killUntil || _looks < FewestLooks)
        {
            _isKillDue = true;
            _killRetry ??= _backend.CreateTimer(_ => KillAgain());
            _killRetry.Set(MonotonicClock.After(now, s_killPause));
        }
        else
        {
            KillNow();
        }
    }

    public override void Kill(Descendant descendant)
    {
    }

    public override void Interrupt()
    {
        if (CanSignal)
        {
            _process!.Interrupt();
        }
    }

    public override SignalDelivery TrySignal(PosixSignal signal) =>
        CanSignal ? _process!.TrySignal(signal) : SignalDelivery.Gone;

    public override void ExemptFromExitKill() => _isExemptFromExitKill = true;

    public override int Read(ChildOutput stream, Span<byte> room, out bool hasEnded)
    {
        hasEnded = !IsOpen(stream);
        int count = _pipes!.Take(stream, room);
        if (count > 0)
        {
            Events.OnOutput();
        }

        return count;
    }

    public override void ResumeOutput(ChildOutput stream) => _pipes?.Resume(stream);

    public override void ResumeInput() => Monitor.PulseAll(Gate);

    public override bool DrainOutput()
    {
        AssertGate();
        _pipes?.Drain();
        return !IsOpen(ChildOutput.Output) && !IsOpen(ChildOutput.Error);
    }

    public override bool IsOpen(ChildOutput stream) => _pipes is not null && _pipes.IsOpen(stream);

    public override void StopReading(ChildOutput stream) => _pipes?.StopReading(stream);

    public override ResourceUse Release()
    {
        AssertGate();
        if (CanSignal)
        {
            KillNow();
        }

        _isReleased = true;
        _backend.Remove(this);
        _survey?.Dispose();
        _killRetry?.Dispose();
        if (_pipes is null)
        {
            _streams?.Input.Abandon();
        }

        _pipes?.Stop();
        if (_process is not null && !_isBegun)
        {
            Unreserve();
            _process.Dispose();
            _pipes!.CloseUnused();
        }

        return _use;
    }

    /// <summary>Handles a deadline that has passed. Called on the deadline thread.</summary>
    public void OnDeadline()
    {
        bool isReleasedNow;
        using (Uninterruptible.Lock(Gate))
        {
            // A limit that passes after the exit must not be taken for the end of the child. The report of the exit
            // sets the next deadline.
            isReleasedNow = !_isDraining && Report(static child => child.Events.OnDeadline(MonotonicClock.Now));
        }

        // The next child of a batch may start then, for which this thread has no time.
        if (isReleasedNow && !_backend.Workers.TryRun(_tellReleased))
        {
            Events.OnReleased();
        }
    }

    /// <summary>Reports the end of a pipe. Requires the gate.</summary>
    /// <returns>True if this has released the child: the caller reports it, without the gate.</returns>
    public bool OnEndOfOutput() => Report(static child => child.Events.OnEndOfOutput());

    /// <summary>Kills the child because this process ends, unless it is exempt. Thread-safe.</summary>
    public void KillOnExit()
    {
        using (Uninterruptible.Lock(Gate))
        {
            if (!_isExemptFromExitKill && CanSignal)
            {
                KillNow();
            }
        }
    }

    // A start can fail after the child exists; its release finds nothing left to return.
    private void Unreserve()
    {
        _backend.Workers.Unreserve(_reservedThreads);
        _reservedThreads = 0;
    }

    private bool CanSignal => _process is not null && !_hasExited && !_isReleased;

    private void Adopt(PortableProcess process)
    {
        using (Uninterruptible.Lock(Gate))
        {
            _pipes = new PortablePipes(this, _start.Plan, process, _streams!);
            _process = process;
            ProcessId = process.Id;
        }
    }

    // Runs on a worker thread.
    private void AwaitExit()
    {
        PortableProcess process = _process!;
        process.AwaitExit();
        bool isReleasedNow = false;
        using (Uninterruptible.Lock(Gate))
        {
            AwaitKill();
            if (!_isReleased)
            {
                _use = process.Use;
                _hasExited = true;
                _isDraining = true;
                _pipes!.StopWriting();
                _pipes.AwaitDrained();
                _isDraining = false;
                isReleasedNow = Report(static child => child.Events.OnExit(child._process!.Status));
            }
        }

        if (isReleasedNow)
        {
            Events.OnReleased();
        }

        // Comes last and without the gate: on macOS .NET can hold its lock for as long as another child is suspended.
        process.Dispose();
    }

    // .NET can have killed the child before it gave up the look for the descendants.
    private void AwaitKill()
    {
        while (_isKillDue && !_isReleased)
        {
            Monitor.Wait(Gate);
        }
    }

    private void KillAgain()
    {
        using (Uninterruptible.Lock(Gate))
        {
            if (_isKillDue)
            {
                Kill();
            }
        }
    }

    // Requires that the process can be signaled.
    private void KillNow()
    {
        _process!.Kill();
        EndKill();
    }

    // Wakes the thread that awaits the kill, whichever call has done it.
    private void EndKill()
    {
        _isKillDue = false;
        Monitor.PulseAll(Gate);
    }

    private void AnswerSurvey()
    {
        using (Uninterruptible.Lock(Gate))
        {
            Report(static child => child.Events.OnSurvey([], isLast: true));
        }
    }

    // Returns true if this has released the child. Requires the gate.
    private bool Report(Action<PortableChild> report)
    {
        if (_isReleased)
        {
            return false;
        }

        try
        {
            report(this);
        }
        catch (OutOfMemoryException exception)
        {
            OnOutOfMemory(exception);
        }

        return _isReleased;
    }

    private void OnOutOfMemory(OutOfMemoryException exception)
    {
        if (!_isReleased)
        {
            Events.OnOutOfMemory(exception);
        }
    }
}
