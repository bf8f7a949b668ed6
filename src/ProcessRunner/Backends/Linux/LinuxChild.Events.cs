using System;
using System.Collections.Generic;

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
