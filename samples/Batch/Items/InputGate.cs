using System;
using System.Collections.Generic;
using System.Threading;
using Batch.CommandLine;

namespace Batch.Items;

/// <summary>
/// Lets items through to the batch, but not too far ahead of what has been printed: while one long job holds up the output
/// in order, the results behind it wait in memory, and no more of them than this admits.
/// </summary>
/// <remarks>
/// The batch asks for items on a thread that may block. Whatever holds the gate shut is a job that has been let through
/// already, so the gate never waits for one that waits for the gate.
/// </remarks>
/// <param name="mostUnfinished">How many may be on their way from here to their end.</param>
/// <param name="mostUnprinted">How many may be on their way from here to the output.</param>
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

    /// <summary>The gate that a run needs.</summary>
    public static InputGate For(Settings settings)
    {
        // The batch reads ahead, and starts what it has read before its results are looked at. It sees a first failure by
        // itself; where others are counted here, it gets no more than may run at once.
        bool isCounted = settings.Halt is { IsNever: false, IsAtFirst: false };
        long mostUnfinished = isCounted ? settings.Jobs : long.MaxValue;
        long mostUnprinted = settings.IsUnordered ? long.MaxValue : Math.Max(FewestUnprinted, 8L * settings.Jobs);
        return new InputGate(mostUnfinished, mostUnprinted);
    }

    /// <summary>Hands the items on, and ends with them or when the gate is closed.</summary>
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

    /// <summary>A job has ended; its output of so many bytes is held from now on.</summary>
    public void OnFinished(long bytes)
    {
        lock (_lock)
        {
            _finished++;
            _heldBytes += bytes;
            Monitor.PulseAll(_lock);
        }
    }

    /// <summary>A job's output has been printed.</summary>
    public void OnPrinted(long bytes)
    {
        lock (_lock)
        {
            _printed++;
            _heldBytes -= bytes;
            Monitor.PulseAll(_lock);
        }
    }

    /// <summary>Lets nothing through any more.</summary>
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
                && (_passed - _finished >= mostUnfinished || _passed - _printed >= mostUnprinted || _heldBytes > MostHeldBytes))
            {
                Monitor.Wait(_lock);
            }

            _passed++;
            return !_isClosed;
        }
    }
}
