using System;
using System.Collections.Generic;
using System.Threading;
using Batch.CommandLine;

namespace Batch.Items;

/// <summary>
/// Passes items to the batch and limits how far they get ahead of the printed output. While one long job holds up the
/// ordered output, the results behind it wait in memory, and the gate bounds their number.
/// </summary>
/// <remarks>
/// The batch requests items on a thread that may block. Only jobs that have passed the gate keep it shut, so it never
/// waits for a job that waits for the gate.
/// </remarks>
/// <param name="mostUnfinished">The maximum number of items between the gate and the end of their jobs.</param>
/// <param name="mostUnprinted">The maximum number of items between the gate and the output.</param>
internal sealed class InputGate(long mostUnfinished, long mostUnprinted)
{
    private const int FewestUnprinted = 4096;
    private const long MostHeldBytes = 256L << 20;

    private readonly object _lock = new();
    private long _passed;
    private long _finished;
    private long _printed;
    private long _heldBytes;
    private bool _isClosed;

    /// <summary>Creates the gate of a run.</summary>
    public static InputGate For(Settings settings)
    {
        // The batch reads ahead, and starts the jobs that it has read before this program sees their results. The batch
        // detects a first failure by itself. If this program counts the failures, the batch gets only as many items as
        // may run at once.
        bool isCounted = settings.Halt is { IsNever: false, IsAtFirst: false };
        long mostUnfinished = isCounted ? settings.Jobs : long.MaxValue;
        long mostUnprinted = settings.IsUnordered ? long.MaxValue : Math.Max(FewestUnprinted, 8L * settings.Jobs);
        return new InputGate(mostUnfinished, mostUnprinted);
    }

    /// <summary>Passes the items on until they end or the gate is closed.</summary>
    public IEnumerable<string> Pass(IEnumerable<string> items)
    {
        foreach (string item in items)
        {
            if (!WaitUntilOpen())
            {
                yield break;
            }

            yield return item;
        }
    }

    /// <summary>Handles the end of a job, which holds this many bytes of output from now on.</summary>
    public void OnFinished(long bytes)
    {
        lock (_lock)
        {
            _finished++;
            _heldBytes += bytes;
            Monitor.PulseAll(_lock);
        }
    }

    /// <summary>Handles the end of printing a job's output.</summary>
    public void OnPrinted(long bytes)
    {
        lock (_lock)
        {
            _printed++;
            _heldBytes -= bytes;
            Monitor.PulseAll(_lock);
        }
    }

    /// <summary>Closes the gate for all further items.</summary>
    public void Close()
    {
        lock (_lock)
        {
            _isClosed = true;
            Monitor.PulseAll(_lock);
        }
    }

    private bool WaitUntilOpen()
    {
        lock (_lock)
        {
            while (!_isClosed
                && (_passed - _finished >= mostUnfinished
                    || _passed - _printed >= mostUnprinted
                    || _heldBytes > MostHeldBytes))
            {
                Monitor.Wait(_lock);
            }

            _passed++;
            return !_isClosed;
        }
    }
}
