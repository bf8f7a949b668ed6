using System;
using System.Runtime.ExceptionServices;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.Streams.Input;

namespace ProcessRunner.Streams;

/// <summary>
/// The three standard streams of one run, and what its targets and sources need to know to serve it. Guarded by the child's
/// gate.
/// </summary>
internal sealed class RunStreams : ChildStreams
{
    private readonly IStreamOwner _owner;
    private readonly StreamFeed _input;
    private readonly StreamSink _output;
    private readonly StreamSink _error;
    private LineChannel? _lines;
    private DeliveryLane? _userLane;
    private bool _outputIsHeld;
    private bool _errorIsHeld;
    private bool _haveLineWaitsEnded;

    public RunStreams(ProcessCommand command, BackendChild child, IStreamOwner owner)
    {
        Command = command;
        Child = child;
        _owner = owner;
        _input = command.StandardInput.CreateFeed(this);
        _output = command.StandardOutput.CreateSink(this, StandardStream.Output);
        _error = command.StandardError.CreateSink(this, StandardStream.Error);
    }

    /// <summary>What runs.</summary>
    public ProcessCommand Command { get; }

    /// <summary>The child, whose object is the gate.</summary>
    public BackendChild Child { get; }

    /// <summary>What all children share.</summary>
    public StreamServices Services => _owner.Services;

    /// <summary>In which user code is called; null for the default one. While its sinks and sources are made.</summary>
    public ExecutionContext? Context => _owner.Context;

    public override InputFeed Input => _input;

    public override OutputSink Output => _output;

    public override OutputSink Error => _error;

    /// <summary>The live lines, or null if no stream goes there.</summary>
    public LineChannel? Lines => _lines;

    /// <summary>The input, if it is written by hand.</summary>
    public ChildInputStream? HandWritten =>
        Command.StandardInput == InputSource.Pipe ? new ChildInputStream((QueueFeed)_input) : null;

    /// <summary>True while the writing end of a pipe is in somebody's hand.</summary>
    public bool AreOpen => Child.IsOpen(StandardStream.Output) || Child.IsOpen(StandardStream.Error);

    /// <summary>True once all receivers have got everything.</summary>
    public bool AreDelivered => _output.IsDelivered && _error.IsDelivered;

    /// <summary>What user code threw first, or null.</summary>
    public ExceptionDispatchInfo? Failure => _output.Failure ?? _error.Failure ?? _input.Failure;

    /// <summary>When a sink wants <see cref="OnDeadline"/>.</summary>
    public long Deadline => Math.Min(_output.Deadline, _error.Deadline);

    /// <summary>What is kept of standard output.</summary>
    public CapturedOutput CapturedOutput => _output.Captured(Command, _outputIsHeld);

    /// <summary>What is kept of standard error.</summary>
    public CapturedOutput CapturedError => _error.Captured(Command, _errorIsHeld);

    /// <summary>The child is being watched.</summary>
    public void Start() => _input.Start();

    public void OnDeadline(long now)
    {
        _output.OnDeadline(now);
        _error.OnDeadline(now);
    }

    /// <summary>Tells the receivers of closed streams that nothing comes any more.</summary>
    public void EndClosed()
    {
        if (!Child.IsOpen(StandardStream.Output))
        {
            _output.End();
        }

        if (!Child.IsOpen(StandardStream.Error))
        {
            _error.End();
        }
    }

    /// <summary>Takes what is there, and reads no more.</summary>
    public void EndAll()
    {
        if (AreOpen)
        {
            Child.DrainOutput();
            _outputIsHeld = Child.IsOpen(StandardStream.Output);
            _errorIsHeld = Child.IsOpen(StandardStream.Error);
            Child.StopReading();
        }

        EndClosed();
        if (_lines is not null && !_haveLineWaitsEnded)
        {
            // Not here: the lock of the live lines is never taken inside the gate.
            Services.Threads.Post(_lines.EndWaits);
            _haveLineWaitsEnded = true;
        }
    }

    /// <summary>There is no memory for the output: lets go what was kept, and counts what comes. Takes no memory itself.</summary>
    public void LetGo()
    {
        _output.LetGo();
        _error.LetGo();
        Services.Segments.Clear();
    }

    /// <summary>A job for a delivery thread could not be done to its end for want of memory. With the gate held.</summary>
    public void OnOutOfMemory(OutOfMemoryException exception) => _owner.OnOutOfMemory(exception);

    /// <summary>Waits no longer for receivers that may wait for their users.</summary>
    public void Abandon()
    {
        _output.Abandon();
        _error.Abandon();
    }

    /// <summary>The live lines, made for the first stream that goes there.</summary>
    public LineChannel AddLines() => _lines ??= new LineChannel();

    /// <summary>Where receivers have their turns that call user code, or one that does not.</summary>
    public DeliveryLane LaneFor(ByteReceiver receiver) =>
        receiver.CallsUser ? _userLane ??= new DeliveryLane(this) : new DeliveryLane(this);

    /// <summary>A part of a stream's sink has room again.</summary>
    public void ResumeUnlessFull(StandardStream stream)
    {
        StreamSink? whole = stream == StandardStream.Output ? _output : _error;
        if (whole is not { IsFull: true })
        {
            Child.ResumeOutput(stream);
        }
    }

    /// <summary>Stops the child because it wrote more than it may.</summary>
    public void StopForLimit() => _owner.OnExceeded();
}
