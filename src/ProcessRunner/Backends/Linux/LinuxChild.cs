using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.IO;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// A child on Linux: its pidfd and our ends of its pipes, all guarded by the child's gate (this object). It owns the
/// descriptors from its construction to <see cref="Release"/>. What is read into a sink is read on the reactor's thread
/// only, since it uses its scratch memory.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class LinuxChild : BackendChild
{
    private WatchedDescriptor _pidfd;
    private WatchedDescriptor _input;
    private WatchedDescriptor _output;
    private WatchedDescriptor _error;
    private ChildStreams? _streams;
    private IChildEvents? _events;
    private ulong _token;
    private ExitStatus? _exit;
    private bool _isRegistered;
    private bool _released;

    /// <summary>Takes over the descriptors.</summary>
    public LinuxChild(OwnedDescriptor pidfd, OwnedDescriptor input, OwnedDescriptor output, OwnedDescriptor error)
    {
        _pidfd = new WatchedDescriptor(pidfd);
        _input = new WatchedDescriptor(input);
        _output = new WatchedDescriptor(output);
        _error = new WatchedDescriptor(error);
    }

    /// <summary>The reactor that serves it.</summary>
    public required EpollReactor Reactor { private get; init; }

    /// <summary>Who sees to its descendants.</summary>
    public required LinuxFamily Family { private get; init; }

    /// <summary>False if it belongs to our own process group.</summary>
    public required bool LeadsGroup { private get; init; }

    /// <summary>What its descendants carry in their environment.</summary>
    public ChildMark Mark => IsMarked ? new ChildMark(Family.MarkPrefix, Number) : default;

    /// <summary>Which child of the engine it is.</summary>
    public required uint Number { private get; init; }

    /// <summary>Whether its descendants carry its mark.</summary>
    public required bool IsMarked { private get; init; }

    /// <summary>To whom it reports, from <see cref="Watch"/> on.</summary>
    public IChildEvents Events => _events!;

    public override bool HasUnreadOutput => _output.HasUnread || _error.HasUnread;

    public override void Watch(IChildEvents events, ChildStreams streams)
    {
        _events = events;
        _streams = streams;
        _token = Reactor.Register(this);
        _isRegistered = true;
        ResumeInput();
        ResumeOutput(StandardStream.Output);
        ResumeOutput(StandardStream.Error);
        _pidfd.Add(Reactor, EventToken.With(_token, EventSource.Exit));
    }

    public override void ResumeInput() =>
        _input.Add(Reactor, EventToken.With(_token, EventSource.Input), LibC.EPOLLOUT);

    public override void ResumeOutput(StandardStream stream) => Pipe(stream).Add(
        Reactor, EventToken.With(_token, stream == StandardStream.Output ? EventSource.Output : EventSource.Error));

    public override int Read(StandardStream stream, Span<byte> room, out bool hasEnded)
    {
        int count = 0;
        hasEnded = !IsOpen(stream);
        if (!hasEnded)
        {
            ref WatchedDescriptor pipe = ref Pipe(stream);
            fixed (byte* first = room)
            {
                LibC.IoVector vector = new() { Base = first, Length = (nuint)room.Length };
                count = (int)Read(pipe.Number, &vector, 1, out hasEnded);
            }

            if (count > 0)
            {
                pipe.NoteRead(count);
                Events.OnOutput();
            }
        }

        return count;
    }

    public override void SetDeadline(long instant)
    {
        if (instant != Deadline && !_released)
        {
            Reactor.SetDeadline(this, instant);
        }
    }

    public override bool Signal(PosixSignal signal, SignalScope scope)
    {
        if (_released || PidFd.IsTaken(_pidfd.Number))
        {
            return false;
        }

        // Until the release the child is ours, a zombie at worst, so its id is nobody else's: nor its group's.
        int number = Signals.Number(signal);
        int result = scope == SignalScope.Group && LeadsGroup
            ? LibC.Kill(-ProcessId, number)
            : LibC.PidFdSendSignal(_pidfd.Number, number);
        if (result == 0)
        {
            return true;
        }

        // A set-user-id program may have left what we are allowed to signal.
        return Marshal.GetLastPInvokeError() switch
        {
            Errno.ESRCH or Errno.EPERM => false,
            int error => throw new Win32Exception(error, $"kill {ProcessId}: {Marshal.GetPInvokeErrorMessage(error)}"),
        };
    }

    // The group of a child whose status was taken can be a stranger's by now.
    public override void Survey() =>
        Family.Survey.Ask(this, LeadsGroup && !PidFd.IsTaken(_pidfd.Number) ? ProcessId : null);

    public override bool SignalDescendant(PosixSignal signal, Descendant descendant)
    {
        int result = LibC.PidFdOpen(descendant.ProcessId);
        if (result < 0)
        {
            // Gone, or no descriptor is free at the moment: the next survey brings it up again.
            return false;
        }

        // The pidfd holds on to whoever has that id now, so the mark that is read next is that one's.
        OwnedDescriptor pidfd = OwnedDescriptor.From(result, "pidfd_open");
        try
        {
            return !Mark.IsNone
                && Mark.IsIn(ProcessTable.MarksOf(descendant.ProcessId, out _))
                && LibC.PidFdSendSignal(pidfd.Number, Signals.Number(signal)) == 0;
        }
        catch (IOException)
        {
            // Out of descriptors for now: the next survey brings it up again, too.
            return false;
        }
        finally
        {
            pidfd.Close();
        }
    }

    public override void Spare()
    {
        if (!Mark.IsNone)
        {
            Family.Guardian?.Spare(Mark.ToString());
        }
    }

    public override bool DrainOutput()
    {
        Drain(ref _output, _streams!.Output);
        Drain(ref _error, _streams!.Error);
        return !_output.IsOpen && !_error.IsOpen;
    }

    public override bool IsOpen(StandardStream stream) => Pipe(stream).IsOpen;

    public override void StopReading()
    {
        _output.Close(Reactor);
        _error.Close(Reactor);
    }

    public override ResourceUse Release()
    {
        if (_exit is null)
        {
            Signal((PosixSignal)LibC.SIGKILL, SignalScope.Group);
        }

        _released = true;
        if (_isRegistered)
        {
            Reactor.Unregister(this, _token);
        }

        CloseInput();
        StopReading();
        PidFd.Reap(_pidfd.Number, out ResourceUse use);
        _pidfd.Close(Reactor);
        return use;
    }

    /// <summary>One of the descriptors is ready; on the reactor's thread.</summary>
    public void OnReady(EventSource source)
    {
        bool isReleasedNow;
        lock (this)
        {
            if (_released)
            {
                return;
            }

            switch (source)
            {
                case EventSource.Output when _output.IsOpen:
                    ReadOnce(ref _output, _streams!.Output);
                    break;

                case EventSource.Error when _error.IsOpen:
                    ReadOnce(ref _error, _streams!.Error);
                    break;

                case EventSource.Input when _input.IsOpen:
                    Write(_streams!.Input);
                    break;

                case EventSource.Exit when _exit is null:
                    ObserveExit();
                    break;
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

            Events.OnDeadline(MonotonicClock.Now);
            isReleasedNow = _released;
        }

        if (isReleasedNow)
        {
            Events.OnReleased();
        }
    }

    /// <summary>The answer to <see cref="Survey"/>; on the survey's thread.</summary>
    public void OnSurvey(IReadOnlyList<Descendant> descendants)
    {
        lock (this)
        {
            if (!_released)
            {
                Events.OnSurvey(descendants);
            }
        }
    }

    private void ObserveExit()
    {
        _exit = PidFd.Peek(_pidfd.Number);
        if (_exit is ExitStatus status)
        {
            // A pidfd stays readable from the exit on: its event has been had.
            _pidfd.Remove(Reactor);
            CloseInput();
            Events.OnExit(status);
        }
    }

    private ref WatchedDescriptor Pipe(StandardStream stream)
    {
        if (stream == StandardStream.Output)
        {
            return ref _output;
        }

        return ref _error;
    }

    private void ReadOnce(ref WatchedDescriptor stream, OutputSink sink)
    {
        if (sink.ReadsItself)
        {
            stream.Remove(Reactor);
            sink.OnReadable();
        }
        else if (Read(ref stream, sink) > 0)
        {
            if (sink.IsFull)
            {
                stream.Remove(Reactor);
            }

            Events.OnOutput();
        }
        else if (!stream.IsOpen)
        {
            Events.OnEndOfOutput();
        }
    }

    private void Drain(ref WatchedDescriptor stream, OutputSink sink)
    {
        int total = 0;
        while (stream.IsOpen && total < WatchedDescriptor.LargestPipe)
        {
            int count = Read(ref stream, sink);
            if (count == 0)
            {
                return;
            }

            total += count;
        }
    }

    // The number of bytes read. None: the pipe is empty or has just been closed at its end.
    private int Read(ref WatchedDescriptor stream, OutputSink sink)
    {
        Span<byte> room = sink.Room;
        Span<byte> scratch = Reactor.Scratch;
        nint count;
        bool hasEnded;
        fixed (byte* first = room, second = scratch)
        {
            LibC.IoVector* vectors = stackalloc LibC.IoVector[2];
            vectors[0] = new LibC.IoVector { Base = first, Length = (nuint)room.Length };
            vectors[1] = new LibC.IoVector { Base = second, Length = (nuint)scratch.Length };
            count = Read(stream.Number, vectors, 2, out hasEnded);
        }

        if (count == 0)
        {
            if (hasEnded)
            {
                stream.Close(Reactor);
            }

            return 0;
        }

        stream.NoteRead(count);
        int direct = (int)nint.Min(count, room.Length);
        sink.Commit(direct);
        sink.Append(scratch[..((int)count - direct)]);
        return (int)count;
    }

    private static nint Read(int pipe, LibC.IoVector* vectors, int length, out bool hasEnded)
    {
        nint count;
        while ((count = LibC.ReadV(pipe, vectors, length)) < 0)
        {
            switch (Marshal.GetLastPInvokeError())
            {
                case Errno.EINTR:
                    continue;

                case Errno.EAGAIN:
                    hasEnded = false;
                    return 0;

                case int error:
                    throw new Win32Exception(error, $"readv: {Marshal.GetPInvokeErrorMessage(error)}");
            }
        }

        hasEnded = count == 0;
        return count;
    }

    private void Write(InputFeed feed)
    {
        int total = 0;
        while (total < WatchedDescriptor.LargestPipe && feed.Pending is { IsEmpty: false } pending)
        {
            nint count;
            fixed (byte* first = pending.Span)
            {
                count = LibC.Write(_input.Number, first, (nuint)pending.Length);
            }

            if (count >= 0)
            {
                feed.Advance((int)count);
                total += (int)count;
                continue;
            }

            switch (Marshal.GetLastPInvokeError())
            {
                case Errno.EINTR:
                    continue;

                case Errno.EAGAIN:
                    return;

                // The child has closed its input: to stop reading early is its right.
                case Errno.EPIPE:
                    CloseInput();
                    return;

                case int error:
                    throw new Win32Exception(error, $"write: {Marshal.GetPInvokeErrorMessage(error)}");
            }
        }

        if (feed.Pending.IsEmpty && feed.IsComplete)
        {
            CloseInput();
        }
        else if (feed.Pending.IsEmpty)
        {
            _input.Remove(Reactor);
        }
    }

    private void CloseInput()
    {
        if (_input.IsOpen)
        {
            _input.Close(Reactor);
            _streams?.Input.Abandon();
        }
    }
}
