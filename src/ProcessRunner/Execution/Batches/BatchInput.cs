using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Threading;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Reads the commands of a batch, in their order and as often as they are to be repeated. The input is the user's code: it
/// runs on one delivery thread, and may block there.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "A token source without a timer or a wait handle holds nothing.")]
internal sealed class BatchInput(Func<CancellationToken, IEnumerable<BatchItem>> source, BatchOptions options)
{
    private readonly CancellationTokenSource _stop = new();

    /// <summary>Enumerates the commands.</summary>
    /// <param name="batch">Whose commands they are.</param>
    /// <exception cref="ArgumentException">One of them is null.</exception>
    /// <exception cref="Exception">What the input throws.</exception>
    public IEnumerable<BatchEntry> Read(BatchExecution batch)
    {
        long repeatUntil = MonotonicClock.After(MonotonicClock.Now, options.RepeatFor);
        bool isEmpty = true;
        for (int repetition = 0; IsRepeated(batch, repetition, repeatUntil); repetition++)
        {
            if (repetition > 0 && isEmpty)
            {
                yield break;
            }

            long index = 0;
            foreach (BatchItem item in Ordered())
            {
                isEmpty = false;
                yield return new BatchEntry(
                    batch,
                    item ?? throw new ArgumentException($"The command at index {index} of the input is null."),
                    index++,
                    repetition);
            }
        }
    }

    /// <summary>Tells the input that nobody wants the rest. It may be waiting for something, so nobody waits for it.</summary>
    public void Stop() => _stop.Cancel();

    // A repetition that has begun is finished, so a further one for the sake of the time begins when the last one is through.
    private bool IsRepeated(BatchExecution batch, int repetition, long repeatUntil) =>
        repetition < options.RepeatCount
        || (options.RepeatFor > TimeSpan.Zero && batch.WaitUntilTaken() && MonotonicClock.Now < repeatUntil);

    private IEnumerable<BatchItem> Ordered()
    {
        IEnumerable<BatchItem> items = source(_stop.Token);
        return options.Order == BatchOrder.LongestFirst
            ? items.OrderByDescending(item => item?.ExpectedRunTime)
            : items;
    }
}
