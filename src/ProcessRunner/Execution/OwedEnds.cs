using System;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution;

/// <summary>
/// The runs of one engine that have ended and could not tell all who wait for them, for want of memory. A timer tries again.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards the list, and is held while nothing else is done; it is taken inside a child's gate. Neither to be
/// owed something nor to try again takes memory itself.
/// </remarks>
internal sealed class OwedEnds : IDisposable
{
    private readonly object _gate = new();
    private readonly BackendTimer _timer;
    private RunCompletion? _first;

    public OwedEnds(ProcessBackend backend) => _timer = backend.CreateTimer(_ => Tell());

    /// <summary>Has a run tell its waiters again in a moment. Any thread; also with the child's gate held.</summary>
    public void Add(RunCompletion completion)
    {
        using (Uninterruptible.Lock(_gate))
        {
            completion.NextOwed = _first;
            _first = completion;
        }

        _timer.Set(MonotonicClock.After(MonotonicClock.Now, MemoryRetry.Pause));
    }

    /// <summary>Tells all that is owed, and waits until there is memory for it. No child is left.</summary>
    public void Dispose()
    {
        MemoryRetry.Until(this, static owed => owed.TellAll());
        _timer.Dispose();
    }

    private bool TellAll()
    {
        Tell();
        return _first is null;
    }

    private void Tell()
    {
        RunCompletion? next;
        using (Uninterruptible.Lock(_gate))
        {
            next = _first;
            _first = null;
        }

        while (next is RunCompletion completion)
        {
            next = completion.NextOwed;
            completion.NextOwed = null;
            if (!completion.TryTellAgain())
            {
                Add(completion);
            }
        }
    }
}
