using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Threading;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Reads the commands of a batch, in their order and as often as they are to be repeated, as far ahead as its state wants. The
/// input is the user's code: it runs on one delivery thread, and may block there.
/// </summary>
/// <remarks>The gate is the batch's, and what the reading thread waits on; it is not held while the user's code runs.</remarks>
[SuppressMessage("Design", "CA1001", Justification = "A token source without a timer or a wait handle holds nothing.")]
internal sealed class BatchInput(
    Func<CancellationToken, IEnumerable<BatchItem>> source, BatchOptions options, object gate, BatchState state)
{
    private readonly CancellationTokenSource _stop = new();
    private bool _isAhead;

    /// <summary>Reads everything, or until the batch is stopped.</summary>
    /// <param name="batch">Whose commands they are; is told when it is worth to look for one again.</param>
    /// <exception cref="ArgumentException">One of them is null.</exception>
    /// <exception cref="Exception">What the input throws.</exception>
    public void Read(BatchExecution batch)
    {
        long repeatUntil = MonotonicClock.After(MonotonicClock.Now, options.RepeatFor);
        bool isEmpty = false;
        for (int repetition = 0; !isEmpty && IsRepeated(repetition, repeatUntil); repetition++)
        {
            isEmpty = ReadOnce(batch, repetition) == 0;
        }
    }

    /// <summary>Somebody has looked for a command; the gate is held.</summary>
    public void OnLook()
    {
        // Not for each: while no slot is free the reading thread is woken once there is a good deal to read.
        if (_isAhead && state.WantsMuchInput)
        {
            Wake();
        }
    }

    /// <summary>Has the reading thread look what it waits for; the gate is held.</summary>
    public void Wake()
    {
        _isAhead = false;
        Monitor.PulseAll(gate);
    }

    /// <summary>Tells the input that nobody wants the rest. It may be waiting for something, so nobody waits for it.</summary>
    public void Stop() => _stop.Cancel();

    // A repetition that has begun is finished, so a further one for the sake of the time begins when the last one is through.
    private bool IsRepeated(int repetition, long repeatUntil) =>
        repetition < options.RepeatCount
        || (options.RepeatFor > TimeSpan.Zero && WaitUntil(static state => state.IsAllTaken) && MonotonicClock.Now < repeatUntil);

    // Returns how many there were.
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
                BatchItem item = items.Current
                    ?? throw new ArgumentException($"The command at index {count} of the input is null.");
                isAsked = AddAndAsk(batch, new BatchEntry(batch, item, count++, repetition));
            }
        }
        finally
        {
            // The end of the user's iterator is waited for, as a foreach does.
            OnAnswer();
        }

        return count;
    }

    private bool IsSorted => options.Order == BatchOrder.LongestFirst;

    private IEnumerable<BatchItem> Ordered()
    {
        IEnumerable<BatchItem> items = source(_stop.Token);
        return IsSorted ? items.OrderByDescending(item => item?.ExpectedRunTime) : items;
    }

    // False if the batch is stopped.
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
            state.Add(entry);
            if (state.IsHungry)
            {
                // Not here: a start takes its time, and the input would never come to be ahead.
                batch.StartSoon();
            }

            // What has been sorted has been read.
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
