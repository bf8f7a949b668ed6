using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using ProcessRunner.Backends.Portable;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Simulated;

/// <summary>
/// Represents a process that is only simulated: a thread plays it, and its pipes are in memory. It ends by an exit, by
/// a signal or by a kill; code that plays it any longer finds its streams closed.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards the end and the signals to handle. It is acquired inside a child's gate, and the pipes' gates
/// inside it.
/// </remarks>
internal sealed class SimulatedProcess : PortableProcess
{
    // Above the ids of every system, so that no real process has one of them.
    private const int FirstId = 1 << 30;

    private const int SIGABRT = 6;
    private const int SIGPIPE = 13;

    private static int s_lastId = FirstId - 1;

    private readonly object _gate = new();
    private readonly ISimulation _simulation;
    private readonly SimulatedPipe? _input;
    private readonly SimulatedPipe? _output;
    private readonly SimulatedPipe? _error;
    private readonly SimulatedPipe? _childError;
    private readonly Queue<PosixSignal> _signals = new();
    private bool _handlesSignals;
    private ExitStatus? _status;

    public SimulatedProcess(ILaunchPlan plan, ISimulation simulation)
    {
        _simulation = simulation;
        Id = Interlocked.Increment(ref s_lastId);
        _input = PipeFor(plan.Input);
        _output = PipeFor(plan.Output);
        _error = PipeFor(plan.Error);
        _childError = plan.Error.Kind == StreamBindingKind.Output ? _output : _error;
    }

    public override int Id { get; }

    public override Stream? Input => _input?.Writer;

    public override Stream? Output => _output?.Reader;

    public override Stream? Error => _error?.Reader;

    public override ExitStatus Status => _status ?? ExitStatus.Lost;

    public override ResourceUse Use => default;

    /// <summary>Gets the standard input as the child sees it.</summary>
    public Stream ChildInput => _input?.Reader ?? Stream.Null;

    /// <summary>Gets the standard output as the child sees it.</summary>
    public Stream ChildOutput => _output?.Writer ?? Stream.Null;

    /// <summary>Gets the standard error as the child sees it.</summary>
    public Stream ChildError => _childError?.Writer ?? Stream.Null;

    /// <summary>Gets whether the process has ended.</summary>
    public override bool HasEnded
    {
        get
        {
            using (Uninterruptible.Lock(_gate))
            {
                return _status is not null;
            }
        }
    }

    /// <summary>Begins to play the process, on a thread of its own.</summary>
    /// <exception cref="OutOfMemoryException">The system has no thread.</exception>
    public void Begin() => OwnThread.Start("ProcessRunner simulation", Play);

    /// <summary>Lets time pass.</summary>
    /// <param name="time">The time; negative for no end.</param>
    /// <exception cref="IOException">The process ended meanwhile.</exception>
    public void Pause(TimeSpan time)
    {
        long until = MonotonicClock.In(time);
        using (Uninterruptible.Lock(_gate))
        {
            while (_status is null && MonotonicClock.Now < until)
            {
                Monitor.Wait(_gate, until == MonotonicClock.Never
                    ? Timeout.Infinite
                    : MonotonicClock.MillisecondsUntil(until, MonotonicClock.Now));
            }

            if (_status is not null)
            {
                throw new IOException("The simulated process has ended.");
            }
        }
    }

    /// <summary>Ends the process, unless it has ended already.</summary>
    public void End(ExitStatus status)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (_status is null)
            {
                _status = status;
                _input?.Reader.Dispose();
                _output?.Writer.Dispose();
                _error?.Writer.Dispose();
                Monitor.PulseAll(_gate);
            }
        }
    }

    public override void AwaitExit()
    {
        using (Uninterruptible.Lock(_gate))
        {
            while (_status is null)
            {
                Monitor.Wait(_gate);
            }
        }
    }

    public override bool RequestStop(PosixSignal signal) => TrySignal(signal) == SignalDelivery.Sent;

    public override void Interrupt() => TrySignal(PosixSignal.SIGINT);

    public override SignalDelivery TrySignal(PosixSignal signal)
    {
        if (HasEnded)
        {
            return SignalDelivery.Gone;
        }

        if ((int)signal == UnixSignal.SIGKILL)
        {
            End(Killed);
        }
        else if (SignalName.Ends(signal))
        {
            if (_simulation.HandlesSignals)
            {
                Handle(signal);
            }
            else
            {
                End(ExitStatus.Signaled(signal));
            }
        }

        return SignalDelivery.Sent;
    }

    public override bool TryKillTree()
    {
        Kill();
        return true;
    }

    public override void Kill() => End(Killed);

    public override void Dispose()
    {
    }

    private static ExitStatus Killed => ExitStatus.Signaled((PosixSignal)UnixSignal.SIGKILL);

    private static SimulatedPipe? PipeFor(StreamBinding binding) =>
        binding.Kind == StreamBindingKind.Pipe ? new SimulatedPipe() : null;

    // The handler is user code, and this thread holds the child's gate.
    private void Handle(PosixSignal signal)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (!_handlesSignals)
            {
                OwnThread.Start("ProcessRunner simulation", HandleSignals);
                _handlesSignals = true;
            }

            _signals.Enqueue(signal);
        }
    }

    private void HandleSignals()
    {
        while (NextSignal() is PosixSignal signal)
        {
            Run(() =>
            {
                if (_simulation.OnSignal(signal) is ExitStatus status)
                {
                    End(status);
                }
            });
        }
    }

    private PosixSignal? NextSignal()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _handlesSignals = _status is null && _signals.Count > 0;
            return _handlesSignals ? _signals.Dequeue() : null;
        }
    }

    private void Play() => Run(() => End(ExitStatus.Exited(_simulation.Play(this))));

    private void Run(Action code)
    {
        try
        {
            code();
        }
        catch (Exception) when (HasEnded)
        {
            // The code that plays the process has seen its end.
        }
        catch (BrokenPipeException)
        {
            End(ExitStatus.Signaled((PosixSignal)SIGPIPE));
        }
        catch (Exception exception)
        {
            Crash(exception);
        }
    }

    // As the runtime does with an unhandled exception: its text goes to standard error, and the program aborts.
    private void Crash(Exception exception)
    {
        try
        {
            ChildError.Write(System.Text.Encoding.UTF8.GetBytes($"Unhandled exception. {exception}\n"));
        }
        catch (Exception)
        {
            // Nobody reads it, or the exception cannot tell its own text.
        }

        End(ExitStatus.Signaled((PosixSignal)SIGABRT));
    }
}
