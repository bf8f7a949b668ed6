using System;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;

namespace ProcessRunner.Execution;

/// <summary>
/// Holds the runs of an engine that have not ended, those whose start is under way included. Thread-safe. Its lock is
/// acquired inside a child's gate, never the other way round. The runs themselves are the links of the list, so that
/// neither a start nor an end needs memory.
/// </summary>
internal sealed class LiveRuns
{
    private readonly object _gate = new();
    private ChildLife? _first;
    private volatile int _count;
    private bool _isClosed;

    /// <summary>Gets the number of runs.</summary>
    public int Count => _count;

    /// <summary>Adds a run before its start.</summary>
    /// <exception cref="ObjectDisposedException">The list is closed.</exception>
    public void Add(ChildLife run)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (_isClosed)
            {
                throw new ObjectDisposedException(objectName: null, "The engine has been disposed.");
            }

            run.NextLive = _first;
            if (_first is not null)
            {
                _first.PreviousLive = run;
            }

            _first = run;
            _count++;
        }
    }

    /// <summary>Removes a run that <see cref="Add"/> has added.</summary>
    public void Remove(ChildLife run)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (run.PreviousLive is null)
            {
                _first = run.NextLive;
            }
            else
            {
                run.PreviousLive.NextLive = run.NextLive;
            }

            if (run.NextLive is not null)
            {
                run.NextLive.PreviousLive = run.PreviousLive;
            }

            run.PreviousLive = run.NextLive = null;
            _count--;
        }
    }

    /// <summary>Makes every further <see cref="Add"/> throw.</summary>
    public void Close()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _isClosed = true;
        }
    }

    /// <summary>Returns the runs of this moment, the latest first.</summary>
    public ChildLife[] ToArray()
    {
        FaultPoint.AllocateManaged();
        using (Uninterruptible.Lock(_gate))
        {
            ChildLife[] runs = new ChildLife[_count];
            int number = 0;
            for (ChildLife? run = _first; run is not null; run = run.NextLive)
            {
                runs[number++] = run;
            }

            return runs;
        }
    }
}
