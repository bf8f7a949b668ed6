using System;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// What must be had before another child of a batch may live beside those that do: descriptors and processes, memory, and
/// a token of the jobserver. The first child needs none of it: without it the batch would stand still. Not thread-safe.
/// </summary>
internal sealed class StartGates : IDisposable
{
    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(20);

    // What has been short once may be there again, though none of the children that run has ended.
    private static readonly TimeSpan s_tryInterval = TimeSpan.FromMilliseconds(250);

    private readonly ProcessBackend _backend;
    private readonly long _minAvailableMemory;
    private readonly JobTokens? _tokens;
    private readonly int _room;
    private int _limit;
    private int _successes;
    private long _tryAt = MonotonicClock.Never;
    private long _memorySeenAt;
    private bool _hasMemory;

    public StartGates(ProcessBackend backend, BatchOptions options)
    {
        _backend = backend;
        _minAvailableMemory = options.MinAvailableMemory;
        _tokens = options.UseJobserver ? backend.OpenJobserver() : null;
        _room = backend.EstimateRoom();
        _limit = _room;
    }

    /// <summary>When to ask again, because nothing tells when a gate has opened; or never.</summary>
    public long PollAt { get; private set; } = MonotonicClock.Never;

    /// <summary>Whether another child may be started beside so many.</summary>
    public bool Admit(int running, long now)
    {
        PollAt = MonotonicClock.Never;
        if (running == 0)
        {
            return true;
        }

        // The end of one of ours opens the first gate. The others may open whenever some other process wills.
        if (running >= _limit && (running >= _room || now < _tryAt))
        {
            PollAt = running < _room ? _tryAt : MonotonicClock.Never;
            return false;
        }

        if (!HasMemory(now) || !HasToken(running))
        {
            PollAt = MonotonicClock.After(now, s_pollInterval);
            return false;
        }

        return true;
    }

    /// <summary>Gives back the tokens that so many children do not need.</summary>
    public void Settle(int running)
    {
        while (_tokens is not null && _tokens.Held > Math.Max(0, running - 1))
        {
            _tokens.Return();
        }
    }

    /// <summary>
    /// A start has succeeded, and so many run now. As many successes in a row as may live at once make room for one more.
    /// </summary>
    public void OnStarted(int running)
    {
        _limit = Math.Max(_limit, Math.Min(running, _room));
        if (_limit < int.MaxValue && ++_successes >= _limit)
        {
            _successes = 0;
            _limit++;
        }
    }

    /// <summary>A start has failed for want of descriptors, processes or memory, beside so many others.</summary>
    public void OnShortage(int running, long now)
    {
        _tryAt = MonotonicClock.After(now, s_tryInterval);
        _successes = 0;
        _limit = Math.Max(1, Math.Min(_limit, running));
    }

    /// <summary>Gives back all tokens.</summary>
    public void Dispose() => _tokens?.Dispose();

    private bool HasToken(int running) => _tokens is null || _tokens.Held >= running || _tokens.TryTake();

    private bool HasMemory(long now)
    {
        if (_minAvailableMemory == 0)
        {
            return true;
        }

        // Not for each of many starts in a row: it takes the reading of a file or two.
        if (_memorySeenAt == 0 || now >= MonotonicClock.After(_memorySeenAt, s_pollInterval))
        {
            _memorySeenAt = now;
            _hasMemory = _backend.AvailableMemory >= _minAvailableMemory;
        }

        return _hasMemory;
    }
}
