using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Threading;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Reads the commands of a batch in order, with all repetitions, as far ahead as the state allows. The input is user
/// code: it runs on one delivery thread, and may block there.
/// </summary>
/// <remarks>The gate is the batch's. The reading thread waits on it, and user code runs without it.</remarks>
[SuppressMessage("Design", "CA1001", Justification = "A token source without a timer or a wait handle holds nothing.")]
internal sealed class BatchInput(
    Func<CancellationToken, IEnumerable<BatchItem>> source, BatchOptions options, object gate, BatchState state)
{
    private readonly CancellationTokenSource _stop = new();

    // Stands for the batch where its commands claim their inputs, which live longer than the batch.
    private readonly object _claim = new();
    private bool _isAhead;

    /// <summary>Reads the whole input, or until the batch is stopped.</summary>
    /// <param name="batch">
    /// The batch of the commands, which is notified when it should look for a command again.
    /// </param>
    /// <exception cref="ArgumentException">A command is null.</exception>
    /// <exception cref="Exception">The input threw it.</exception>
    public void Read(BatchExecution batch)
    {
        long repeatUntil = MonotonicClock.In(options.RepeatFor);
        bool isEmpty = false;
        for (int repetition = 0; !isEmpty && IsRepeated(repetition, repeatUntil); repetition++)
        {
            isEmpty = ReadOnce(batch, repetition) == 0;
        }
    }

    /// <summary>Handles a look for a command. Requires the gate.</summary>
    public void OnLook()
    {
        Uninterruptible.AssertHeld(gate);
        // Not at every look: while no slot is free, the reading thread is woken only once there is a lot to read.
        if (_isAhead && state.WantsMuchInput)
        {
            Wake();
        }
    }

    /// <summary>Wakes the reading thread, which checks its condition again. Requires the gate.</summary>
    public void Wake()
    {
        Uninterruptible.AssertHeld(gate);
        _isAhead = false;
        Monitor.PulseAll(gate);
    }

    /// <summary>
    /// Informs the input that the rest is not needed. Does not wait for the input, which may itself be waiting.
    /// </summary>
    public void Stop() => _stop.Cancel();

    // A repetition runs to its end once it has begun. With RepeatFor, a further repetition begins only when the
    // previous one is through.
    private bool IsRepeated(int repetition, long repeatUntil) =>
        repetition < options.RepeatCount
        || (options.RepeatFor > TimeSpan.Zero
            && WaitUntil(static state => state.IsAllTaken)
            && MonotonicClock.Now < repeatUntil);

    // Returns the number of commands.
    private long ReadOnce(BatchExecution batch, int repetition)
    {
        long count = 0;
        if (!TryAsk())
        {
            return count;
        }

        using IEnumerator<BatchItem> items = Ordered().GetEnumerator();
        try
        {
            bool isAsked = true;
            while (isAsked && items.MoveNext())
            {
                FaultPoint.AllocateManaged();
                BatchItem item = batch.Hidden(items.Current
                    ?? throw new ArgumentException($"The command at index {count} of the input is null."));
                BatchEntry entry = new(batch, item, item.Retry ?? options.Retry, count++, repetition)
                {
                    SharesInput = !item.Command.StandardInput.TryClaimInBatch(_claim),
                };
                isAsked = AddAndAsk(batch, entry);
            }
        }
        finally
        {
            // Waits for the end of the user's iterator, as foreach does.
            OnAnswer();
        }

        return count;
    }

    private bool IsSorted => options.Order == BatchOrder.LongestFirst;

    private IEnumerable<BatchItem> Ordered()
    {
        IEnumerable<BatchItem> items = source(_stop.Token);
        return IsSorted ? UntilStopped(items).OrderByDescending(item => item?.ExpectedRunTime) : items;
    }

    // The sort reads all of the input before it returns the first command.
    private IEnumerable<BatchItem> UntilStopped(IEnumerable<BatchItem> items)
    {
        foreach (BatchItem item in items)
        {
            bool goesOn;
            using (Uninterruptible.Lock(gate))
            {
                goesOn = state.TryCountUnsorted();
            }

            yield return item;
            if (!goesOn)
            {
                yield break;
            }
        }
    }

    // Returns false if the batch is stopped.
    private bool TryAsk()
    {
        using (Uninterruptible.Lock(gate))
        {
            state.IsInputAsked = WaitUntil(static state => state.WantsInput);
            return state.IsInputAsked;
        }
    }

    private void OnAnswer()
    {
        using (Uninterruptible.Lock(gate))
        {
            state.IsInputAsked = false;
        }
    }

    private bool AddAndAsk(BatchExecution batch, BatchEntry entry)
    {
        using (Uninterruptible.Lock(gate))
        {
            state.IsInputAsked = false;
            if (IsSorted && state.StoppedBy != StopCause.None)
            {
                // The stop has dropped this command and all behind it.
                return false;
            }

            state.Add(entry);
            if (state.IsHungry)
            {
                // Not on this thread: a start takes time, and the input would never get ahead.
                batch.StartSoon();
            }

            // A sorted input has already been read completely.
            return IsSorted || TryAsk();
        }
    }

    private bool WaitUntil(Func<BatchState, bool> condition)
    {
        using (Uninterruptible.Lock(gate))
        {
            while (state.StoppedBy == StopCause.None && !condition(state))
            {
                _isAhead = true;
                Uninterruptible.Do(gate, static gate => Monitor.Wait(gate));
            }

            return state.StoppedBy == StopCause.None;
        }
    }
}
