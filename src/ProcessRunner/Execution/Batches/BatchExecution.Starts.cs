using System;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Execution.Batches;

/// <summary>Starts the children of a batch, and handles their ends.</summary>
internal sealed partial class BatchExecution
{
    // Made while there is memory.
    private static readonly OperationCanceledException s_stopped = new("The batch was stopped before this start.");

    /// <summary>Handles the end of a child, on its reactor's thread.</summary>
    public void OnEnded(BatchEntry entry, ProcessResult result) => StartFrom(OnAttemptEnded(entry, result));

    /// <summary>Returns an item whose texts also hide the secrets of the engine.</summary>
    public BatchItem Hidden(BatchItem item) => item.HiddenBy(_engine.Secrets);

    /// <summary>Goes on with what user code has said about an attempt, on a delivery thread.</summary>
    public void OnJudged(BatchEntry entry, ProcessResult result)
    {
        StartFrom(Conclude(entry, result));
        StartMore();
    }

    /// <summary>Schedules the due starts on a reactor. Requires the gate.</summary>
    public void StartSoon()
    {
        Uninterruptible.AssertHeld(_gate);
        if (!_state.IsEnding)
        {
            _alarm!.Arm(MonotonicClock.Now);
        }
    }

    private void StartMore()
    {
        BatchEntry? first;
        using (Uninterruptible.Lock(_gate))
        {
            // However busy the thread is, it makes one start a turn.
            first = TakeNext(isFirst: true);
        }

        StartFrom(first);
    }

    private void StartMoreOnTimer()
    {
        if (_parts!.Backend.Capabilities.StartsOnTimers)
        {
            StartMore();
            return;
        }

        try
        {
            FaultPoint.AllocateManaged();
            _parts.Streams.Threads.Post(new DeliveryJob(StartMore));
        }
        catch (OutOfMemoryException)
        {
            using (Uninterruptible.Lock(_gate))
            {
                DoAgainSoon();
            }
        }
    }

    private void StartFrom(BatchEntry? first)
    {
        BatchEntry? next;
        for (BatchEntry? entry = first; entry is not null; entry = next)
        {
            next = null;
            if (!_engine.IsTraced && entry.Item.Command is { OpensFiles: false, HasUserEncoding: false })
            {
                next = Start(entry);
            }
            else if (!TryStartElsewhere(entry))
            {
                OnShortage(entry, isBusy: false, entry.Plan);
            }

            if (next is null)
            {
                using (Uninterruptible.Lock(_gate))
                {
                    next = TakeNext();
                }
            }
        }
    }

    // Separate from the loop, where it would allocate a closure for every child.
    private bool TryStartElsewhere(BatchEntry entry)
    {
        try
        {
            FaultPoint.AllocateManaged();
            Action start = () =>
            {
                StartFrom(Start(entry));
                StartMore();
            };
            _parts!.Streams.Threads.Post(new DeliveryJob(start, Context));
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    // Requires the gate.
    private BatchEntry? TakeNext(bool isFirst = false)
    {
        Uninterruptible.AssertHeld(_gate);
        long now = MonotonicClock.Now;
        if (!isFirst && _parts!.Backend.HoldsUpOthers(now))
        {
            // Goes on after the thread's next look at its children.
            StartSoon();
            return null;
        }

        try
        {
            BatchEntry? entry = _state.TakeNext(now, out long askAgainAt);
            if (entry is not null)
            {
                _alarm!.OnStart(now);
            }
            else if (!_state.IsEnding)
            {
                _alarm!.Arm(askAgainAt);
            }

            _input.OnLook();
            return entry;
        }
        catch (OutOfMemoryException)
        {
            DoAgainSoon();
            return null;
        }
    }

    // Returns the next command if this one has already ended.
    private BatchEntry? Start(BatchEntry entry)
    {
        ILaunchPlan? plan = entry.Plan;
        int attempt = entry.FailedStarts + 1;
        ChildLife? life = null;
        try
        {
            _engine.Trace(entry.Item.Command);
            EngineParts parts = _engine.Parts(entry.Item.Command);
            plan ??= PumpedPlan.For(entry.Item.Command, parts.Backend.Capabilities);
            life = ChildLife.Create(
                new StartOrder(entry.Item.Command)
                {
                    Plan = plan,
                    Attempt = attempt,
                    IsTriedOnce = true,
                    SharesInput = _options.IsRepeated || entry.Repeats is { Retry.Count: > 0 } || entry.SharesInput,
                    Environment = _environment,
                    Slot = new SlotVariable(_options.SlotVariable, entry.Slot),
                    Observer = entry,
                },
                parts);
            if (!TryBegin(entry, life))
            {
                return OnNotStarted(entry, life);
            }

            life.Start();
            using (Uninterruptible.Lock(_gate))
            {
                _state.OnStarted();
            }

            return life.HasEndedAtStart ? OnAttemptEnded(entry, life.Completion.Result!) : null;
        }
        catch (Exception exception) when (StartRetry.Follows(exception, attempt))
        {
            OnShortage(entry, isBusy: exception is ProcessStartException { Step: ProcessStartStep.Busy }, plan);
            return null;
        }
        catch (Exception) when (life is { HasBegun: false } && StoppedBy != StopCause.None)
        {
            return OnNotStarted(entry, life);
        }
        catch (Exception exception)
        {
            return Conclude(entry, exception);
        }
    }

    // From here on a stop of the batch reaches the child, even if its start hangs.
    private bool TryBegin(BatchEntry entry, ChildLife life)
    {
        using (Uninterruptible.Lock(_gate))
        {
            entry.Life = _state.StoppedBy == StopCause.None ? life : null;
            return entry.Life is not null;
        }
    }

    private BatchEntry? OnNotStarted(BatchEntry entry, ChildLife life)
    {
        life.GiveUp(s_stopped);
        using (Uninterruptible.Lock(_gate))
        {
            _state.OnNotStarted(entry);
            Settle();
        }

        return null;
    }

    private void OnShortage(BatchEntry entry, bool isBusy, ILaunchPlan? plan)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _state.OnShortage(entry, isBusy);
            entry.Plan = plan;
            Settle();
        }
    }

    // Returns the next command. If user code judges the end first, the entry keeps its slot until then.
    private BatchEntry? OnAttemptEnded(BatchEntry entry, ProcessResult result)
    {
        if (entry.Repeats?.Judgement is not BatchJudgement judgement)
        {
            return Conclude(entry, result);
        }

        using (Uninterruptible.Lock(_gate))
        {
            _state.OnJudging(entry);
        }

        judgement.Ask(result);
        _parts!.Streams.Threads.Post(judgement.Job);
        using (Uninterruptible.Lock(_gate))
        {
            return TakeNext();
        }
    }

    // Gives the slot to the next command immediately: otherwise another thread would take the slot, and one reactor
    // might end up with all the children.
    private BatchEntry? Conclude(BatchEntry entry, object outcome)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _state.OnEnded(entry, outcome);
            Settle();
            return TakeNext();
        }
    }
}
