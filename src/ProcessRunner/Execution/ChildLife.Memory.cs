using System;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Streams;

namespace ProcessRunner.Execution;

/// <summary>
/// Handles a lack of memory for the output, the stop or the end of a run. The child's deadline retries each operation
/// that needs memory, until it succeeds.
/// </summary>
internal sealed partial class ChildLife
{
    private OutOfMemoryException? _shortage;
    private long _againAt = MonotonicClock.Never;
    private TimeSpan _owedGrace;
    private StopCause _owedCause;

    void IChildEvents.OnOutOfMemory(OutOfMemoryException exception) => OnOutOfMemory(exception);

    void IStreamOwner.OnOutOfMemory(OutOfMemoryException exception) => OnOutOfMemory(exception);

    private void OnOutOfMemory(OutOfMemoryException exception)
    {
        if (!HasEnded)
        {
            _shortage ??= exception;
            _cause = _cause == StopCause.None ? StopCause.OutOfMemory : _cause;
            _streams.LetGo();
            OweStop(StopCause.OutOfMemory, Command.StopGrace);
        }
    }

    // Allocates no memory itself.
    private void OweStop(StopCause cause, TimeSpan grace)
    {
        bool isSooner = MonotonicClock.After(0, grace) < MonotonicClock.After(0, _owedGrace);
        _owedGrace = _owedCause == StopCause.None || isSooner ? grace : _owedGrace;
        _owedCause = _owedCause == StopCause.None ? cause : _owedCause;
        _againAt = MonotonicClock.After(MonotonicClock.Now, MemoryRetry.Pause);
        SetDeadline();
    }

    private void StopAgain(long now)
    {
        if (now >= _againAt)
        {
            StopCause cause = _owedCause;
            _againAt = MonotonicClock.Never;
            _owedCause = StopCause.None;
            BeginStop(cause, _owedGrace);
        }
    }

    private ExceptionDispatchInfo Shortage(OutOfMemoryException exception) =>
        ExceptionDispatchInfo.Capture(new InsufficientMemoryException(
            $"There was no memory for what '{Command.FileName}' wrote: {Command}", exception));
}
