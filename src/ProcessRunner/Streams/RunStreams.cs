using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.Streams.Input;

namespace ProcessRunner.Streams;

/// <summary>
/// Represents the streams of one run, and provides what its targets and sources need to serve it.
/// Guarded by the child's gate.
/// </summary>
internal sealed class RunStreams : ChildStreams
{
    private readonly IStreamOwner _owner;
    private readonly StreamFeed _input;
    private readonly StreamSink _output;
    private readonly StreamSink _error;
    private RareParts? _rare;
    private DeliveryLane? _userLane;
    private bool _isOutputHeld;
    private bool _isErrorHeld;
    private bool _haveLineWaitsEnded;

    public RunStreams(ProcessCommand command, BackendChild child, IStreamOwner owner)
    {
        Command = command;
        Child = child;
        _owner = owner;
        _input = command.StandardInput.CreateFeed(this);
        _output = command.StandardOutput.CreateSink(this, ChildOutput.Output);
        _error = command.StandardError.CreateSink(this, ChildOutput.Error);
        if (command.Extras.Channels.Count > 0)
        {
            Rare.Channels = new ChannelSinks(this);
        }
    }

    /// <summary>Gets the command that runs.</summary>
    public ProcessCommand Command { get; }

    /// <summary>Gets the child. This object is the gate.</summary>
    public BackendChild Child { get; }

    /// <summary>Gets the services that all children share.</summary>
    public StreamServices Services => _owner.Services;

    /// <summary>
    /// Gets the context in which user code runs, or null for the default context. Valid while the sinks and sources are
    /// created.
    /// </summary>
    public ExecutionContext? Context => _owner.Context;

    public override InputFeed Input => _input;

    public override OutputSink Output => _output;

    public override OutputSink Error => _error;

    public override OutputSink Channel(int number) => Channels!.Of(number);

    /// <summary>Gets the live lines, or null if no stream produces them.</summary>
    public LineChannel? Lines => _rare?.Lines;

    /// <summary>Gets the standard input if the user writes it, or null.</summary>
    public ChildInputStream? HandWritten =>
        Command.StandardInput == InputSource.Pipe ? new ChildInputStream((QueueFeed)_input) : null;

    /// <summary>Gets whether some process still holds the writing end of an output pipe.</summary>
    public bool AreOpen =>
        Child.IsOpen(ChildOutput.Output) || Child.IsOpen(ChildOutput.Error) || Channels?.AreOpen(Child) == true;

    /// <summary>Gets whether all receivers have received everything.</summary>
    public bool AreDelivered => _output.IsDelivered && _error.IsDelivered && Channels?.AreDelivered != false;

    /// <summary>Gets the first exception that user code threw, or null.</summary>
    public ExceptionDispatchInfo? Failure =>
        _output.Failure ?? _error.Failure ?? Channels?.Failure ?? _input.Failure;

    /// <summary>Gets the instant at which a sink needs <see cref="OnDeadline"/>.</summary>
    public long Deadline =>
        Math.Min(Math.Min(_output.Deadline, _error.Deadline), Channels?.Deadline ?? MonotonicClock.Never);

    /// <summary>Gets the kept part of standard output.</summary>
    public CapturedOutput CapturedOutput => _output.Captured(Command.DecodingOf(ChildOutput.Output), _isOutputHeld);

    /// <summary>Gets the kept part of standard error.</summary>
    public CapturedOutput CapturedError => _error.Captured(Command.DecodingOf(ChildOutput.Error), _isErrorHeld);

    /// <summary>Gets the kept parts of the channels.</summary>
    public IReadOnlyDictionary<int, CapturedOutput> CapturedChannels =>
        Channels?.Captured(Command) ?? ValueMap<int, CapturedOutput>.Empty;

    /// <summary>Notes that the run reads its input.</summary>
    /// <exception cref="InvalidOperationException">Another run reads the input, which serves one at a time.</exception>
    public void ClaimInput() => _input.Claim(_owner);

    /// <summary>
    /// Opens the files that this process reads or writes in place of the child. Called without the gate.
    /// </summary>
    /// <exception cref="LaunchException">A file cannot be opened; nothing is left open.</exception>
    public void Open()
    {
        if (!Services.Capabilities.BindsFiles)
        {
            try
            {
                _input.Open();
                _output.Open();
                _error.Open();
            }
            catch (LaunchException)
            {
                CloseUnstarted();
                throw;
            }
        }
    }

    /// <summary>Closes those files after an attempt to start that failed.</summary>
    public void CloseUnstarted()
    {
        _input.CloseUnstarted();
        _output.CloseUnstarted();
        _error.CloseUnstarted();
    }

    /// <summary>Starts the input, once the child is watched.</summary>
    public void Start() => _input.Start();

    public void OnDeadline(long now)
    {
        _output.OnDeadline(now);
        _error.OnDeadline(now);
        Channels?.OnDeadline(now);
    }

    /// <summary>Informs the receivers of closed streams that no more bytes come.</summary>
    public void EndClosed()
    {
        if (!Child.IsOpen(ChildOutput.Output))
        {
            _output.End();
        }

        if (!Child.IsOpen(ChildOutput.Error))
        {
            _error.End();
        }

        Channels?.EndClosed(Child);
    }

    /// <summary>Drains the available bytes, and reads no further.</summary>
    public void EndAll()
    {
        if (AreOpen)
        {
            Child.DrainOutput();
            _isOutputHeld = Child.IsOpen(ChildOutput.Output);
            _isErrorHeld = Child.IsOpen(ChildOutput.Error);
            Child.StopReading(ChildOutput.Output);
            Child.StopReading(ChildOutput.Error);
            Channels?.StopReading(Child);
        }

        EndClosed();
        if (Lines is not null && !_haveLineWaitsEnded)
        {
            // Not on this thread: the lock of the live lines is never acquired inside the gate.
            Services.Threads.Post(Lines.EndWaits);
            _haveLineWaitsEnded = true;
        }
    }

    /// <summary>
    /// Handles a lack of memory for the output: releases the kept bytes, and only counts further ones. Allocates no
    /// memory itself.
    /// </summary>
    public void LetGo()
    {
        _output.LetGo();
        _error.LetGo();
        Channels?.LetGo();
        Services.Segments.Clear();
    }

    /// <summary>
    /// Handles a job of a delivery thread that could not complete for lack of memory. Requires the gate.
    /// </summary>
    public void OnOutOfMemory(OutOfMemoryException exception)
    {
        Child.AssertGate();
        _owner.OnOutOfMemory(exception);
    }

    /// <summary>Abandons the receivers that may be waiting for their users.</summary>
    public void Abandon()
    {
        _output.Abandon();
        _error.Abandon();
        Channels?.Abandon();
    }

    /// <summary>Returns the live lines, created for the first stream that produces them.</summary>
    public LineChannel AddLines() => Rare.Lines ??= new LineChannel();

    /// <summary>
    /// Returns the lane in which a receiver takes its turns: the shared one if the receiver calls user code, otherwise
    /// one of its own.
    /// </summary>
    public DeliveryLane LaneFor(ByteReceiver receiver) =>
        receiver.CallsUser ? _userLane ??= new DeliveryLane(this) : new DeliveryLane(this);

    /// <summary>
    /// Resumes reading after a part of a stream's sink has room again, unless the whole sink is full.
    /// </summary>
    public void ResumeUnlessFull(ChildOutput stream)
    {
        StreamSink? whole = stream switch
        {
            ChildOutput.Output => _output,
            ChildOutput.Error => _error,
            _ => Channels?.Of((int)stream),
        };
        if (whole is not { IsFull: true })
        {
            Child.ResumeOutput(stream);
        }
    }

    /// <summary>
    /// Reads a stream no further, because its receiver has left: the child learns of it by its next write. Thread-safe.
    /// </summary>
    public void Leave(ChildOutput stream)
    {
        using (Uninterruptible.Lock(Child.Gate))
        {
            Child.StopReading(stream);
            Child.SetDeadline(MonotonicClock.Now);
        }
    }

    /// <summary>Stops the child because it wrote more than it may.</summary>
    public void StopForLimit() => _owner.OnExceeded();

    private ChannelSinks? Channels => _rare?.Channels;

    private RareParts Rare => _rare ??= new RareParts();

    /// <summary>Holds the parts that few runs have.</summary>
    private sealed class RareParts
    {
        public LineChannel? Lines { get; set; }

        public ChannelSinks? Channels { get; set; }
    }
}
