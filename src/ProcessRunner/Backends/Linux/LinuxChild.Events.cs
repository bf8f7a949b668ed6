using System;
using System.Collections.Generic;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Reactors;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// The events that a child receives from its reactor, from the thread that serves it, and from the survey.
/// </summary>
internal sealed partial class LinuxChild
{
    /// <summary>Handles a descriptor that is ready. Called on the thread that watches it.</summary>
    /// <param name="source">The descriptor that is ready.</param>
    /// <param name="watcher">
    /// The thread that reports it. Nothing happens if the descriptor has been handed over to another thread in the
    /// meantime.
    /// </param>
    public void OnReady(EventSource source, DescriptorWatcher watcher)
    {
        bool isReleasedNow;
        lock (Gate)
        {
            if (_released)
            {
                return;
            }

            try
            {
                Handle(source, watcher);
            }
            catch (OutOfMemoryException exception)
            {
                OnOutOfMemory(exception);
            }

            isReleasedNow = _released;
        }

        if (isReleasedNow)
        {
            Events.OnReleased();
        }
    }

    /// <summary>Handles a deadline that has passed. Called on the reactor's thread.</summary>
    public void OnDeadline()
    {
        bool isReleasedNow;
        lock (Gate)
        {
            if (_released)
            {
                return;
            }

            try
            {
                HandleDeadline(MonotonicClock.Now);
            }
            catch (OutOfMemoryException exception)
            {
                OnOutOfMemory(exception);
            }

            isReleasedNow = _released;
        }

        if (isReleasedNow)
        {
            Events.OnReleased();
        }
    }

    /// <summary>Handles an answer to <see cref="Survey"/>. Called on the survey's thread.</summary>
    public void OnSurvey(IReadOnlyList<Descendant> descendants, bool isLast)
    {
        lock (Gate)
        {
            if (!_released)
            {
                try
                {
                    Events.OnSurvey(descendants, isLast);
                }
                catch (OutOfMemoryException exception)
                {
                    OnOutOfMemory(exception);
                }
            }
        }
    }

    private void HandleDeadline(long now)
    {
        TellExit();
        if (now >= _lookAt && !_released)
        {
            _lookAt = MonotonicClock.Never;
            Look();
        }

        if (!_released)
        {
            Events.OnDeadline(now);
        }
    }

    private void Handle(EventSource source, DescriptorWatcher watcher)
    {
        switch (source)
        {
            case EventSource.Output when _output.IsWatchedBy(watcher):
                ReadOnce(ref _output, _streams!.Output);
                break;

            case EventSource.Error when _error.IsWatchedBy(watcher):
                ReadOnce(ref _error, _streams!.Error);
                break;

            case EventSource.Input when _input.IsWatchedBy(watcher):
                _input.Write(_streams!.Input, Reactor, _token);
                break;

            case EventSource.Exit when _pidfd.IsWatchedBy(watcher):
                ObserveExit();
                LookLaterIfOnlyTheStatusIsMissing();
                break;
        }
    }

    private void ReadOnce(ref WatchedDescriptor stream, OutputSink sink)
    {
        if (sink.ReadsItself)
        {
            stream.Unwatch(Reactor, _token);
            sink.OnReadable();
        }
        else if (PipeReader.Read(ref stream, sink, Reactor) > 0)
        {
            if (sink.IsFull)
            {
                stream.Unwatch(Reactor, _token);
            }

            Events.OnOutput();
        }
        else if (!stream.IsOpen)
        {
            Events.OnEndOfOutput();
        }
    }

    // Handles each descriptor that could not be watched as if it were ready, and then tries to watch it again.
    private void Look()
    {
        for (EventSource source = EventSource.Output; source <= EventSource.Input; source++)
        {
            Handle(source, DescriptorWatcher.Deadline);
        }

        LookLaterUnless(_output.TryWatchAgain(Reactor, _token)
            & _error.TryWatchAgain(Reactor, _token)
            & _input.TryWatchAgain(Reactor, _token)
            & _pidfd.TryWatchAgain(Reactor, _token));
    }

    private void LookLaterUnless(bool isWatched)
    {
        if (!isWatched && _lookAt == MonotonicClock.Never)
        {
            _lookAt = MonotonicClock.After(MonotonicClock.Now, s_lookInterval);
            SetDeadline(_deadline);
        }
    }

    private void ObserveExit()
    {
        if (PidFd.Peek(_pidfd.Number) is ExitStatus status)
        {
            OnExit(status);
        }
    }

    private void OnExit(ExitStatus status)
    {
        _exit = status;

        // A pidfd stays readable after the exit and would wake the reactor again and again.
        _pidfd.Unregister(Reactor);
        _input.Close(_streams?.Input, Reactor);
        TellExit();
    }

    // Reports the exit once. If memory was short before, the deadline reports it.
    private void TellExit()
    {
        if (_exit is ExitStatus status && !_isExitTold)
        {
            _isExitTold = true;
            Events.OnExit(status);
        }
    }

    // A tracer can hold a zombie without a limit (ptrace(2)). A status that another caller's wait has taken becomes
    // available only once that wait is over, if at all. The pidfd stays readable meanwhile.
    private void LookLaterIfOnlyTheStatusIsMissing()
    {
        if (_exit is not null || !PidFd.IsReadable(_pidfd.Number))
        {
            return;
        }

        if (PidFd.IsTaken(_pidfd.Number) && ++_looksForTakenStatus > MostLooksForTakenStatus)
        {
            OnExit(ExitStatus.Lost);
            return;
        }

        _pidfd.Defer(Reactor, _token);
        LookLaterUnless(false);
    }

    // A shortage of memory while an event is handled belongs to the child of that event. After the release there is
    // nothing left to do.
    private void OnOutOfMemory(OutOfMemoryException exception)
    {
        if (!_released)
        {
            Events.OnOutOfMemory(exception);
        }
    }
}
