using System;
using System.Collections.Generic;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Backends.Windows.Io;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows;

/// <summary>The events that a child receives from its reactor.</summary>
internal sealed unsafe partial class WindowsChild
{
    // The pause before an operation is repeated for which the system lacked memory.
    private static readonly TimeSpan s_pauseWithoutMemory = TimeSpan.FromMilliseconds(20);

    /// <summary>Handles a packet of the port. Called on the reactor's thread.</summary>
    public void OnPacket(Packet packet)
    {
        bool isReleasedNow;
        lock (Gate)
        {
            _reactor.EndTransfer(packet);
            if (_released)
            {
                return;
            }

            try
            {
                Handle(packet.Source);
            }
            catch (OutOfMemoryException exception)
            {
                OnOutOfMemory(exception);
            }

            isReleasedNow = _released;
        }

        if (isReleasedNow)
        {
            _events!.OnReleased();
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
            _events!.OnReleased();
        }
    }

    private void HandleDeadline(long now)
    {
        TellExit();
        if (now >= _lookAt && !_released)
        {
            _lookAt = MonotonicClock.Never;
            ResumeInput();
            ResumeOutput(StandardStream.Output);
            ResumeOutput(StandardStream.Error);
        }

        if (now >= _surveyAt && !_released)
        {
            AnswerSurvey(now);
        }

        if (!_released)
        {
            _events!.OnDeadline(now);
        }
    }

    private void Handle(EventSource source)
    {
        switch (source)
        {
            case EventSource.Output when _output.OnPacket(&_block->Output):
                ReadOnce(ref _output, StandardStream.Output, _streams!.Output);
                break;

            case EventSource.Error when _error.OnPacket(&_block->Error):
                ReadOnce(ref _error, StandardStream.Error, _streams!.Error);
                break;

            case EventSource.Input:
                _input.OnPacket(_streams!.Input, _block);
                ResumeInput();
                break;

            case EventSource.Exit when _exit is null:
                ObserveExit();
                break;
        }
    }

    // A pipe is watched again only by this method, or by a sink that was full or has read by itself.
    private void ReadOnce(ref OutputPipe pipe, StandardStream stream, OutputSink sink)
    {
        if (sink.ReadsItself)
        {
            sink.OnReadable();
            return;
        }

        try
        {
            if (pipe.Read(sink) > 0)
            {
                _events!.OnOutput();
            }

            if (!pipe.IsOpen)
            {
                _events!.OnEndOfOutput();
            }
        }
        finally
        {
            if (!_released && !sink.IsFull)
            {
                ResumeOutput(stream);
            }
        }
    }

    private void ObserveExit()
    {
        if (Kernel32.WaitForSingleObject(_process.Value, 0) == Kernel32.WAIT_OBJECT_0)
        {
            uint code;
            _exit = Kernel32.GetExitCodeProcess(_process.Value, &code)
                ? ExitStatus.Exited((int)code)
                : ExitStatus.Lost;
            _input.Close(_streams?.Input, _block);
            TellExit();
        }
    }

    // Reports the exit once. If memory was short before, the deadline reports it.
    private void TellExit()
    {
        if (_exit is ExitStatus status && !_isExitTold)
        {
            _isExitTold = true;
            _events!.OnExit(status);
        }
    }

    // If there is no memory for the answer, it comes later.
    private void AnswerSurvey(long now)
    {
        _surveyAt = MonotonicClock.After(now, s_pauseWithoutMemory);
        List<Descendant> descendants = JobSurvey.Find(_job!, ProcessId);
        _surveyAt = MonotonicClock.Never;
        _events!.OnSurvey(descendants, isLast: true);
    }

    private void LookLaterUnless(bool isUnderWay)
    {
        if (!isUnderWay && _lookAt == MonotonicClock.Never && !_released)
        {
            _lookAt = MonotonicClock.After(MonotonicClock.Now, s_pauseWithoutMemory);
            SetDeadline(_deadline);
        }
    }

    // A shortage of memory while an event is handled belongs to the child of that event. After the release there is
    // nothing left to do.
    private void OnOutOfMemory(OutOfMemoryException exception)
    {
        if (!_released)
        {
            _events!.OnOutOfMemory(exception);
        }
    }
}
