using System;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;
using ProcessRunner.Streams;

namespace ProcessRunner.Execution;

/// <summary>What becomes of a run for whose output, or for whose end, this process has no memory.</summary>
internal sealed partial class ChildLife
{
    private static readonly TimeSpan s_pauseWithoutMemory = TimeSpan.FromMilliseconds(10);

    private OutOfMemoryException? _shortage;
    private bool _isStoppedForShortage;

    // What takes memory is done by the deadline, and tried again there until there is some.
    void IChildEvents.OnOutOfMemory(OutOfMemoryException exception) => OnOutOfMemory(exception);

    void IOutputLimit.OnOutOfMemory(OutOfMemoryException exception) => OnOutOfMemory(exception);

    private void OnOutOfMemory(OutOfMemoryException exception)
    {
        if (!HasEnded)
        {
            _shortage ??= exception;
            _cause = _cause == StopCause.None ? StopCause.OutOfMemory : _cause;
            _streams.LetGo();
            _child.SetDeadline(MonotonicClock.After(MonotonicClock.Now, s_pauseWithoutMemory));
        }
    }

    private void StopForShortage()
    {
        if (_shortage is not null && !_isStoppedForShortage)
        {
            BeginStop(StopCause.OutOfMemory, Command.StopGrace);
            _isStoppedForShortage = true;
        }
    }

    private ExceptionDispatchInfo Shortage(OutOfMemoryException exception) => ExceptionDispatchInfo.Capture(
        new InsufficientMemoryException($"There was no memory for what '{Command.FileName}' wrote: {Command}", exception));
}
