using System;
using System.Collections.Generic;

namespace ProcessRunner.Backends.Linux;

/// <summary>What is reported to a child, by its reactor, the thread that serves it, or the survey.</summary>
internal sealed partial class LinuxChild
{
    /// <summary>One of the descriptors is ready; on the thread that watches it.</summary>
    /// <param name="source">Which one.</param>
    /// <param name="watcher">Who says so. Nothing is done if it has been handed to another one in the meantime.</param>
    public void OnReady(EventSource source, DescriptorWatcher watcher)
    {
        bool isReleasedNow;
        lock (this)
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

    /// <summary>The deadline has passed; on the reactor's thread.</summary>
    public void OnDeadline()
    {
        bool isReleasedNow;
        lock (this)
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

    /// <summary>An answer to <see cref="Survey"/>; on the survey's thread.</summary>
    public void OnSurvey(IReadOnlyList<Descendant> descendants, bool isLast)
    {
        lock (this)
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

    // What an event needs memory for and does not get belongs to its child. After the release there is nothing left to do.
    private void OnOutOfMemory(OutOfMemoryException exception)
    {
        if (!_released)
        {
            Events.OnOutOfMemory(exception);
        }
    }
}
