using System.Collections.Generic;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Backends.Windows.Io;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows;

/// <summary>The events that a child receives from its reactor.</summary>
internal sealed unsafe partial class WindowsChild
{
    /// <summary>Handles a packet of the port. Called on the reactor's thread.</summary>
    public void OnPacket(Packet packet)
    {
        if (!TryHandle((Child: this, packet), static ready => ready.Child.Handle(ready.packet)))
        {
            Reactor.EndTransfer(packet);
        }
    }

    protected override void Look()
    {
        ResumeInput();
        ResumeOutputs();
        if (_isKillDue)
        {
            Kill();
        }

        if (_breakUntil != 0 && !IsReleased)
        {
            AskAgain();
        }

        if (_isSurveyDue && !IsReleased)
        {
            AnswerSurvey();
        }
    }

    private void Handle(Packet packet)
    {
        Reactor.EndTransfer(packet);
        switch (packet.Source)
        {
            case EventPart.Output when _output.OnPacket(&_block->Output):
                ReadOnce(ref _output, ChildOutput.Output, OutputSink);
                break;

            case EventPart.Error when _error.OnPacket(&_block->Error):
                ReadOnce(ref _error, ChildOutput.Error, ErrorSink);
                break;

            case >= EventPart.Channel when WindowsChannels.NumberOf(packet.Source) is int number
                && _channels is not null
                && _channels.Of(number).OnPacket(&_block->Channels[number]):
                ReadOnce(ref _channels.Of(number), (ChildOutput)number, ChannelSink(number));
                break;

            case EventPart.Input:
                _input.OnPacket(InputFeed, _block);
                ResumeInput();
                break;

            case EventPart.Exit when !IsExitKnown:
                ObserveExit();
                break;
        }
    }

    // A pipe is watched again only by this method, or by a sink that was full or has read by itself.
    private void ReadOnce(ref OutputPipe pipe, ChildOutput stream, OutputSink sink)
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
                Events.OnOutput();
            }

            if (!pipe.IsOpen)
            {
                Events.OnEndOfOutput();
            }
        }
        finally
        {
            if (!IsReleased && !sink.IsFull)
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
            OnExit(Kernel32.GetExitCodeProcess(_process.Value, &code) ? ExitStatus.Exited((int)code) : ExitStatus.Lost);
        }
    }

    // If there is no memory for the answer, it comes later.
    private void AnswerSurvey()
    {
        List<Descendant> descendants;
        try
        {
            descendants = JobSurvey.Find(_job!, ProcessId);
            _isSurveyDue = false;
        }
        finally
        {
            LookLaterUnless(!_isSurveyDue);
        }

        Events.OnSurvey(descendants, isLast: true);
    }
}
