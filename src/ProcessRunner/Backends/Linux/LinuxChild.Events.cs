using System;
using System.Collections.Generic;
using ProcessRunner.Backends.Linux.Io;
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
    public void OnReady(EventPart source, DescriptorWatcher watcher) => TryHandle(
        (Child: this, source, watcher), static ready => ready.Child.Handle(ready.source, ready.watcher));

    /// <summary>Handles an answer to <see cref="Survey"/>. Called on the survey's thread.</summary>
    public void OnSurvey(IReadOnlyList<Descendant> descendants, bool isLast)
    {
        lock (Gate)
        {
            if (!IsReleased)
            {
                HandleInGate((Child: this, descendants, isLast), static answer =>
                    answer.Child.Events.OnSurvey(answer.descendants, answer.isLast));
            }
        }
    }

    /// <summary>Handles that a request to stop has not reached a descendant. Called on the survey's thread.</summary>
    public void OnStopNotSent(Descendant descendant)
    {
        lock (Gate)
        {
            if (!IsReleased)
            {
                Events.OnStopNotSent(descendant);
            }
        }
    }

    private void Handle(EventPart source, DescriptorWatcher watcher)
    {
        if (source >= EventPart.Channel)
        {
            HandleChannel(LinuxChannels.NumberOf(source), watcher);
            return;
        }

        switch (source)
        {
            case EventPart.Output when _output.IsWatchedBy(watcher):
                ReadOnce(ref _output, OutputSink);
                break;

            case EventPart.Error when _error.IsWatchedBy(watcher):
                ReadOnce(ref _error, ErrorSink);
                break;

            case EventPart.Input when _input.IsWatchedBy(watcher):
                _input.Write(InputFeed, Reactor, Token);
                break;

            case EventPart.Exit when _pidfd.IsWatchedBy(watcher):
                ObserveExit();
                LookLaterIfOnlyTheStatusIsMissing();
                break;
        }
    }

    private void HandleChannel(int number, DescriptorWatcher watcher)
    {
        if (_channels?.IndexOf(number) is int index and >= 0 && _channels.At(index).IsWatchedBy(watcher))
        {
            ReadOnce(ref _channels.At(index), ChannelSink(number));
        }
    }

    private void ReadOnce(ref WatchedDescriptor stream, OutputSink sink)
    {
        if (sink.ReadsItself)
        {
            stream.Unwatch(Reactor, Token);
            sink.OnReadable();
        }
        else if (PipeDrain.Read(ref stream, sink, Reactor) > 0)
        {
            if (sink.IsFull)
            {
                stream.Unwatch(Reactor, Token);
            }

            Events.OnOutput();
        }
        else if (!stream.IsOpen)
        {
            Events.OnEndOfOutput();
        }
    }

    // Handles each descriptor that could not be watched as if it were ready, and then tries to watch it again.
    protected override void Look()
    {
        for (EventPart source = EventPart.Output; source <= EventPart.Input; source++)
        {
            Handle(source, DescriptorWatcher.Deadline);
        }

        for (int i = 0; i < _channels?.Count; i++)
        {
            HandleChannel(_channels.NumberAt(i), DescriptorWatcher.Deadline);
        }

        LookLaterUnless(_output.TryWatchAgain(Reactor, Token)
            & _error.TryWatchAgain(Reactor, Token)
            & _input.TryWatchAgain(Reactor, Token)
            & _pidfd.TryWatchAgain(Reactor, Token)
            & (_channels is null || _channels.TryWatchAgain(Reactor, Token)));
    }

    private void ObserveExit()
    {
        if (PidFd.Peek(_pidfd.Number) is ExitStatus status)
        {
            EndWith(status);
        }
    }

    private void EndWith(ExitStatus status)
    {
        // A pidfd stays readable after the exit and would wake the reactor again and again.
        _pidfd.Unregister(Reactor);
        OnExit(status);
    }

    // A tracer can hold a zombie without a limit (ptrace(2)). A status that another caller's wait has taken becomes
    // available only once that wait is over, if at all. The pidfd stays readable meanwhile.
    private void LookLaterIfOnlyTheStatusIsMissing()
    {
        if (IsExitKnown || !PidFd.IsReadable(_pidfd.Number))
        {
            return;
        }

        if (PidFd.IsTaken(_pidfd.Number))
        {
            // Zero means that the status was not missing before.
            int now = Environment.TickCount;
            _statusMissingSince = _statusMissingSince == 0 ? now | 1 : _statusMissingSince;
            if (unchecked(now - _statusMissingSince) >= StatusPatience)
            {
                EndWith(ExitStatus.Lost);
                return;
            }
        }

        _pidfd.Defer(Reactor, Token);
        LookLaterUnless(false);
    }
}
