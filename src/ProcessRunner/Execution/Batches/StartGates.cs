using System;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution.Batches;

/// <summary>
/// Guards the resources that a further child of a batch needs beside the live ones: descriptors and processes, memory,
/// and a token of the jobserver. The first child needs none of them, because otherwise the batch would stand still. Not
/// thread-safe.
/// </summary>
internal sealed class StartGates : IDisposable
{
    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(20);

    // A missing resource may become available again although none of the running children has ended.
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
        _room = backend.EstimateRoom();
        _tokens = options.UseJobserver ? backend.OpenJobTokens() : null;
        _limit = _room;
    }

    /// <summary>
    /// Gets the instant of the next check, or never. No event announces that a gate has opened.
    /// </summary>
    public long PollAt { get; private set; } = MonotonicClock.Never;

    /// <summary>Returns whether another child may start beside the running ones.</summary>
    public bool Admit(int running, long now)
    {
        PollAt = MonotonicClock.Never;
        if (running == 0)
        {
            return true;
        }

        // The end of one of our children opens the first gate. Other processes can open the rest at any time.
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

    /// <summary>Returns the tokens that the running children do not need.</summary>
    public void Settle(int running)
    {
        while (_tokens is not null && _tokens.Held > Math.Max(0, running - 1) && _tokens.TryReturn())
        {
        }
    }

    /// <summary>
    /// Handles a successful start, with the number of children that now run. As many consecutive successes as the limit
    /// raise the limit by one.
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

    /// <summary>
    /// Handles a start that failed for lack of descriptors, processes or memory, beside the running children.
    /// </summary>
    public void OnShortage(int running, long now)
    {
        _tryAt = MonotonicClock.After(now, s_tryInterval);
        _successes = 0;
        _limit = Math.Max(1, Math.Min(_limit, running));
    }

    /// <summary>Returns all tokens.</summary>
    public void Dispose() => _tokens?.Dispose();

    private bool HasToken(int running) => _tokens is null || _tokens.Held >= running || _tokens.TryTake();

    private bool HasMemory(long now)
    {
        if (_minAvailableMemory == 0)
        {
            return true;
        }

        // Not for each of many consecutive starts, because it reads one or two files.
        if (_memorySeenAt == 0 || now >= MonotonicClock.After(_memorySeenAt, s_pollInterval))
        {
            _memorySeenAt = now;
            _hasMemory = _backend.AvailableMemory >= _minAvailableMemory;
        }

        return _hasMemory;
    }
}
