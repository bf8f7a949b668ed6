using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Descendants;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Linux.Processes;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Represents a child on Linux: its pidfd and this process's ends of its pipes, all guarded by the child's gate. It
/// owns the descriptors from its start to its release. One thread at a time serves a descriptor: the reactor's thread
/// or, from <see cref="Serve"/> until the exit, the thread that waits for the child.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe partial class LinuxChild : ReactorChild<EpollReactor>
{
    // In milliseconds: another waiter that reaped the child may not have had a processor for that long.
    private const int StatusPatience = 1000;

    private StartInProgress? _start;
    private WatchedDescriptor _pidfd;
    private InputPipe _input;
    private WatchedDescriptor _output;
    private WatchedDescriptor _error;
    private LinuxChannels? _channels;
    private bool _leadsGroup;

    // In milliseconds of Environment.TickCount, since thousands of children have this field, and hardly one needs it.
    private int _statusMissingSince;

    /// <summary>Creates a child that has not been started.</summary>
    public LinuxChild(LinuxBackend backend, EpollReactor reactor, LaunchOrder order)
        : base(reactor)
    {
        Backend = backend;
        _start = new StartInProgress(this, order);
    }

    /// <summary>Gets the backend, which starts the child.</summary>
    public LinuxBackend Backend { get; }

    /// <summary>Gets the mark that the child and its descendants carry in their environment.</summary>
    public ChildMark Mark => IsMarked ? new ChildMark(Family.MarkPrefix, Number) : default;

    /// <summary>Gets the number of the child within its engine.</summary>
    public required uint Number { get; init; }

    /// <summary>Gets whether the child lives on when this process ends.</summary>
    public bool IsExemptFromExitKill { get; private set; }

    /// <summary>Gets whether the child's descendants carry its mark.</summary>
    public required bool IsMarked { private get; init; }

    public override bool HasExited => IsExitKnown || (_pidfd.IsOpen && PidFd.Peek(_pidfd.Number) is not null);

    public override bool HasUnreadOutput => _output.HasUnread || _error.HasUnread || _channels?.HaveUnread == true;

    public override void Watch(IChildEvents events, ChildStreams streams)
    {
        base.Watch(events, streams);
        Family.OnStarting(this);
    }

    public override void Start()
    {
        StartedProcess started = Run();
        using (Uninterruptible.Lock(Gate))
        {
            ProcessId = started.ProcessId;
            _leadsGroup = started.LeadsGroup;
            _pidfd = new WatchedDescriptor(started.PidFd, EventPart.Exit);
            _input = new InputPipe(started.Input);
            _output = new WatchedDescriptor(started.Output, EventPart.Output);
            _error = new WatchedDescriptor(started.Error, EventPart.Error);
            _channels = started.Channels;
            _start = null;
        }
    }

    public override void Begin()
    {
        AssertGate();
        Family.OnStarted(this);

        // The starter sleeps until the exec and may wait for a processor after it, so the child can have exited
        // already. Its output may then be with its receivers: whatever the system lacks from here on is an event of the
        // run, and not a failure of the start.
        HandleInGate(this, static child => child.ObserveExit());
        if (!IsExitKnown)
        {
            _input.Begin(InputFeed, Reactor, Token);
            _output.Register(Reactor, Token, isWatched: true);
            _error.Register(Reactor, Token, isWatched: true);
            _channels?.Register(Reactor, Token);
            _pidfd.Register(Reactor, Token, isWatched: true);
        }
        else if (!IsReleased)
        {
            LookLaterUnless(_output.TryWatch(Reactor, Token)
                & _error.TryWatch(Reactor, Token)
                & (_channels is null || _channels.TryWatch(Reactor, Token)));
        }
    }

    public override void ResumeInput() => LookLaterUnless(_input.TryWatch(Reactor, Token));

    public override void ResumeOutput(ChildOutput stream) => LookLaterUnless(Pipe(stream).TryWatch(Reactor, Token));

    public override void Serve() => WaiterLoop.UntilExit(this);

    public override int Read(ChildOutput stream, Span<byte> room, out bool hasEnded)
    {
        int count = 0;
        hasEnded = !IsOpen(stream);
        if (!hasEnded)
        {
            ref WatchedDescriptor pipe = ref Pipe(stream);
            count = PipeTransfer.Read(pipe.Number, room, default, out hasEnded);
            if (count > 0)
            {
                pipe.NoteRead(count);
                Events.OnOutput();
            }
        }

        return count;
    }

    public override bool RequestStop(PosixSignal signal)
    {
        bool isAsked = SignalGroup(SignalName.NumberOf(signal));

        // A suspended child handles its signals only after it continues.
        SignalGroup(LibC.SIGCONT);
        return isAsked;
    }

    public override bool RequestStop(Descendant descendant, PosixSignal signal) =>
        Signal(descendant, SignalName.NumberOf(signal));

    public override void Kill()
    {
        if (_start is not null)
        {
            _start.Signal(LibC.SIGKILL);
        }
        else
        {
            SignalGroup(LibC.SIGKILL);
        }
    }

    public override void Kill(Descendant descendant) => Signal(descendant, LibC.SIGKILL);

    public override void Interrupt()
    {
        if (_leadsGroup)
        {
            SignalGroup(LibC.SIGINT);
        }
    }

    public override SignalDelivery TrySignal(PosixSignal signal) =>
        _pidfd.IsOpen && PidFd.Signal(_pidfd.Number, ProcessId, SignalName.NumberOf(signal))
            ? SignalDelivery.Sent
            : SignalDelivery.Gone;

    // The group of a child whose status was taken may belong to a stranger by now.
    public override void Survey() =>
        Family.Survey.Ask(this, _leadsGroup && !PidFd.IsTaken(_pidfd.Number) ? ProcessId : null);

    public override void ExemptFromExitKill()
    {
        IsExemptFromExitKill = true;
        Family.Exempt(this);
    }

    public override bool DrainOutput()
    {
        AssertGate();
        PipeDrain.Drain(ref _output, OutputSink, Reactor);
        PipeDrain.Drain(ref _error, ErrorSink, Reactor);
        bool haveChannelsEnded = DrainChannels();
        return !_output.IsOpen && !_error.IsOpen && haveChannelsEnded;
    }

    public override bool IsOpen(ChildOutput stream) =>
        IsStandard(stream) ? Pipe(stream).IsOpen : _channels?.IsOpen((int)stream) == true;

    public override void StopReading(ChildOutput stream)
    {
        if (IsOpen(stream))
        {
            Pipe(stream).Close(Reactor);
        }
    }

    /// <summary>
    /// Returns the child's process id, even while its start is in progress. Null if the child has no id, or if the id
    /// may no longer be its own. Requires the gate.
    /// </summary>
    public int? FindProcessId(ProcessTable table) =>
        _start is not null ? _start.FindProcessId(table)
        : ProcessId > 0 && !IsReleased && !PidFd.IsTaken(_pidfd.Number) ? ProcessId
        : null;

    /// <summary>Takes output, error and pidfd over from the reactor for the thread that waits for the exit.</summary>
    /// <returns>
    /// The number of descriptors taken over: zero after the exit, or if another thread has them already.
    /// </returns>
    public int TakeOver(LibC.PollDescriptor* polled)
    {
        lock (Gate)
        {
            if (!_pidfd.IsWatchedBy(DescriptorWatcher.Reactor))
            {
                return 0;
            }

            _output.TakeOver(Reactor);
            _error.TakeOver(Reactor);
            _pidfd.TakeOver(Reactor);
            return TakenOver(polled);
        }
    }

    /// <summary>
    /// Describes the descriptors that the waiting thread has taken over and still watches, each at the index of its
    /// source.
    /// </summary>
    /// <returns>The number of those descriptors: zero after the exit.</returns>
    public int TakenOver(LibC.PollDescriptor* polled)
    {
        lock (Gate)
        {
            return _pidfd.IsWatchedBy(DescriptorWatcher.Waiter)
                ? _output.Describe(ref polled[(int)EventPart.Output])
                    + _error.Describe(ref polled[(int)EventPart.Error])
                    + _pidfd.Describe(ref polled[(int)EventPart.Exit])
                : 0;
        }
    }

    /// <summary>Returns the descriptors that the waiting thread took over to the reactor.</summary>
    public void HandBack()
    {
        lock (Gate)
        {
            LookLaterUnless(_pidfd.TryHandBack(Reactor, Token)
                & _output.TryHandBack(Reactor, Token)
                & _error.TryHandBack(Reactor, Token));
        }
    }

    protected override void CloseInput(InputFeed? feed) => _input.Close(feed, Reactor);

    protected override ResourceUse Close()
    {
        _output.Close(Reactor);
        _error.Close(Reactor);
        _channels?.Close(Reactor);
        ResourceUse use = default;
        if (_pidfd.IsOpen)
        {
            if (IsExitKnown || AwaitKilled())
            {
                PidFd.Reap(_pidfd.Number, out use);
            }

            _pidfd.Close(Reactor);
        }

        Family.OnEnded(this);
        return use;
    }

    private LinuxFamily Family => Backend.Family;

    // Each step can hang: the lookup of the program or of a user, the guardian's start, the child's own start.
    private StartedProcess Run()
    {
        ReactorThread? reactorThread = Backend.OnStart();
        try
        {
            if (_start!.KillsOnParentExit)
            {
                Family.GuardAtExit(this);
            }

            return _start.Run(Mark);
        }
        finally
        {
            reactorThread?.EndStart();
        }
    }

    // A child that does not end keeps this thread here, but not the reactor: it gets another thread.
    private bool AwaitKilled()
    {
        ReactorThread? thread = Backend.OnStart();
        bool hasEnded = PidFd.AwaitKilled(_pidfd.Number);
        thread?.EndStart();
        return hasEnded;
    }

    // Until the release the child is ours, a zombie at worst, so its id and its group's id belong to nobody else,
    // unless other code reaps it.
    private bool SignalGroup(int number)
    {
        AssertGate();
        if (!_pidfd.IsOpen)
        {
            return false;
        }

        bool hasReachedGroup = _leadsGroup && !PidFd.IsTaken(_pidfd.Number) && LibC.Kill(-ProcessId, number) == 0;

        // The child itself may have moved to another group, and a signal that it handles must not arrive twice.
        return (hasReachedGroup && LibC.GetProcessGroup(ProcessId) == ProcessId)
            || PidFd.Signal(_pidfd.Number, ProcessId, number)
            || hasReachedGroup;
    }

    private bool Signal(Descendant descendant, int number)
    {
        if (!Mark.IsNone)
        {
            Family.Survey.Signal(this, descendant, number);
        }

        return !Mark.IsNone;
    }

    private static bool IsStandard(ChildOutput stream) => stream <= ChildOutput.Error;

    private bool DrainChannels()
    {
        bool haveEnded = true;
        for (int i = 0; i < _channels?.Count; i++)
        {
            PipeDrain.Drain(ref _channels.At(i), ChannelSink(_channels.NumberAt(i)), Reactor);
            haveEnded &= !_channels.At(i).IsOpen;
        }

        return haveEnded;
    }

    private ref WatchedDescriptor Pipe(ChildOutput stream)
    {
        if (stream == ChildOutput.Output)
        {
            return ref _output;
        }

        if (stream == ChildOutput.Error)
        {
            return ref _error;
        }

        return ref _channels!.At(_channels.IndexOf((int)stream));
    }
}
