using System;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;
using ProcessRunner.Streams;

namespace ProcessRunner.Execution;

/// <summary>
/// What becomes of a run for whose output, stop or end this process has no memory. What takes memory is done again by the
/// deadline, until there is some.
/// </summary>
internal sealed partial class ChildLife
{
    private OutOfMemoryException? _shortage;
    private long _againAt = MonotonicClock.Never;
    private TimeSpan _owedGrace;
    private bool _owesStop;

    void IChildEvents.OnOutOfMemory(OutOfMemoryException exception) => OnOutOfMemory(exception);

    void IStreamOwner.OnOutOfMemory(OutOfMemoryException exception) => OnOutOfMemory(exception);

    private void OnOutOfMemory(OutOfMemoryException exception)
    {
        if (!HasEnded)
        {
            _shortage ??= exception;
            _streams.LetGo();
            OweStop(StopCause.OutOfMemory, Command.StopGrace);
        }
    }

    // Takes no memory itself.
    private void OweStop(StopCause cause, TimeSpan grace)
    {
        _cause = _cause == StopCause.None ? cause : _cause;
        _owedGrace = _owesStop && _owedGrace < grace ? _owedGrace : grace;
        _owesStop = true;
        _againAt = MonotonicClock.After(MonotonicClock.Now, MemoryRetry.Pause);
        SetDeadline();
    }

    private void StopAgain(long now)
    {
        if (now >= _againAt)
        {
            _againAt = MonotonicClock.Never;
            _owesStop = false;
            BeginStop(_cause, _owedGrace);
        }
    }

    private ExceptionDispatchInfo Shortage(OutOfMemoryException exception) => ExceptionDispatchInfo.Capture(
        new InsufficientMemoryException($"There was no memory for what '{Command.FileName}' wrote: {Command}", exception));
}
