using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;
using ProcessRunner;
using PTest.Hosts;
using PTest.Units;

namespace PTest.Running;

/// <summary>
/// Feeds a batch with units. The end of one unit can make others, so the input ends when no unit is left that could.
/// Thread-safe: the session adds and closes, <see cref="Watch"/> moves and closes, the batch takes.
/// </summary>
internal sealed class UnitQueue(SessionOptions options, UnitGroups groups, string root) : IDisposable
{
    // Guards the delayed units, and the end of the input against an addition at that moment.
    private readonly Lock _gate = new();
    private readonly BlockingCollection<TestUnit> _units = [];
    private readonly PriorityQueue<TestUnit, long> _delayed = new();
    private int _open;

    /// <summary>Adds units that follow from one that has ended, and takes that one off.</summary>
    public void Replace(IReadOnlyList<TestUnit> followers)
    {
        Add(followers);
        Leave();
    }

    public void Add(IReadOnlyList<TestUnit> units)
    {
        Interlocked.Add(ref _open, units.Count);
        foreach (TestUnit unit in units)
        {
            if (unit.Delay > TimeSpan.Zero)
            {
                lock (_gate)
                {
                    _delayed.Enqueue(unit, Environment.TickCount64 + (long)unit.Delay.TotalMilliseconds);
                }
            }
            else
            {
                Offer(unit);
            }
        }
    }

    /// <summary>Ends the input. Units that are left are not started, nor are those that are added later.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _units.CompleteAdding();
        }
    }

    /// <summary>Moves the units whose delay is over into the input.</summary>
    public void Tick()
    {
        lock (_gate)
        {
            while (_delayed.TryPeek(out TestUnit? unit, out long due) && due <= Environment.TickCount64)
            {
                _delayed.Dequeue();
                Offer(unit);
            }
        }
    }

    /// <summary>Gets the input of the batch. Its code runs on a thread of the batch, and may block.</summary>
    public IEnumerable<BatchItem<UnitRun>> Items()
    {
        foreach (TestUnit unit in _units.GetConsumingEnumerable())
        {
            yield return Item(unit);
        }
    }

    public void Dispose() => _units.Dispose();

    private void Offer(TestUnit unit)
    {
        lock (_gate)
        {
            if (!_units.IsAddingCompleted)
            {
                _units.Add(unit);
            }
        }
    }

    private void Leave()
    {
        if (Interlocked.Decrement(ref _open) == 0)
        {
            Close();
        }
    }

    private BatchItem<UnitRun> Item(TestUnit unit)
    {
        UnitRun run = new(unit, WorkFolder.Next(root));
        ProcessCommand command = unit.Assembly.Host.Run(unit.Assembly, unit.Tests, unit.IsWhole, run.Folder) with
        {
            StandardOutput = OutputTarget.ToLines(run.Output.Add),
            StandardError = OutputTarget.ToLines(run.Output.Add),
            Descendants = BackendLimits.FindsDescendants ? DescendantPolicy.KillAlways : DescendantPolicy.KillOnStop,
            StopGrace = options.StopGrace,
            BeforeStop = _ => run.OnStop(),
        };
        return new BatchItem<UnitRun>(command, run)
        {
            ExpectedRunTime = unit.Expected,
            Slots = groups.RunsAlone(unit) ? options.Jobs : options.SlotsOf(unit),
            Group = groups.Of(unit),
        };
    }
}
