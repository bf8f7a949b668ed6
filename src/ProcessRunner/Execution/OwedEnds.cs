using System;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>
/// Represents the runs of one engine that have ended and could not notify all their waiters for lack of memory. A timer
/// tries again.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards the list; nothing else is done with it held. It is acquired inside a child's gate. A child's
/// gate is acquired inside <c>_telling</c>, which the retrying thread holds. Neither adding a run nor retrying
/// allocates memory itself.
/// </remarks>
internal sealed class OwedEnds : IDisposable
{
    private readonly object _gate = new();
    private readonly object _telling = new();
    private readonly BackendTimer _timer;
    private RunCompletion? _first;

    public OwedEnds(ProcessBackend backend) => _timer = backend.CreateTimer(_ => TellAll());

    /// <summary>
    /// Adds a run that notifies its waiters again in a moment. Thread-safe; can be called with the child's gate held.
    /// </summary>
    public void Add(RunCompletion completion)
    {
        using (Uninterruptible.Lock(_gate))
        {
            completion.NextOwed = _first;
            _first = completion;
        }

        _timer.Set(MonotonicClock.In(MemoryRetry.Pause));
    }

    /// <summary>Notifies all remaining waiters, and waits until there is memory for it. No child is left.</summary>
    public void Dispose()
    {
        MemoryRetry.Until(this, static owed => owed.TellAll());
        _timer.Dispose();
    }

    private bool TellAll()
    {
        using (Uninterruptible.Lock(_telling))
        {
            TellOnce();
            return _first is null;
        }
    }

    private void TellOnce()
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
