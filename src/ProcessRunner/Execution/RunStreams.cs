using System;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.Streams.Input;

namespace ProcessRunner.Execution;

/// <summary>The three standard streams of one run. Guarded by the child's gate.</summary>
internal sealed class RunStreams
{
    private readonly ProcessCommand _command;
    private readonly BackendChild _child;
    private readonly DeliveryThreads _threads;
    private readonly StreamFeed _input;
    private readonly StreamSink _output;
    private readonly StreamSink _error;
    private bool _outputIsHeld;
    private bool _errorIsHeld;
    private bool _linesWait = true;

    public RunStreams(ProcessCommand command, BackendChild child, EngineParts engine, Action stopForLimit)
    {
        _command = command;
        _child = child;
        _threads = engine.Threads;
        SinkContext context = new(command, child, StandardStream.Output, engine.Threads, engine.Budget, Lines, stopForLimit);
        _input = command.StandardInput.CreateFeed(context);
        _output = context.CreateWhole(command.StandardOutput);
        _error = (context with { Stream = StandardStream.Error }).CreateWhole(command.StandardError);
    }

    /// <summary>The live lines, if a stream goes there.</summary>
    public LineChannel Lines { get; } = new();

    /// <summary>The input, if it is written by hand.</summary>
    public ChildInputStream? HandWritten =>
        _command.StandardInput == InputSource.Pipe ? new ChildInputStream((QueueFeed)_input) : null;

    /// <summary>What the backend serves.</summary>
    public ChildStreams ForBackend => new(_input, _output, _error);

    /// <summary>True while the writing end of a pipe is in somebody's hand.</summary>
    public bool AreOpen => _child.IsOpen(StandardStream.Output) || _child.IsOpen(StandardStream.Error);

    /// <summary>True while a pipe is not read because its receiver is slow.</summary>
    public bool AreFull => _output.IsFull || _error.IsFull;

    /// <summary>The number of bytes that have been read so far.</summary>
    public long TotalBytes => _output.TotalBytes + _error.TotalBytes;

    /// <summary>True once all receivers have got everything.</summary>
    public bool AreDelivered => _output.IsDelivered && _error.IsDelivered;

    /// <summary>What user code threw first, or null.</summary>
    public ExceptionDispatchInfo? Failure => _output.Failure ?? _error.Failure ?? _input.Failure;

    /// <summary>When a sink wants <see cref="OnDeadline"/>.</summary>
    public long Deadline => Math.Min(_output.Deadline, _error.Deadline);

    /// <summary>What is kept of standard output.</summary>
    public CapturedOutput CapturedOutput => _output.Captured(_command, _outputIsHeld);

    /// <summary>What is kept of standard error.</summary>
    public CapturedOutput CapturedError => _error.Captured(_command, _errorIsHeld);

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
        if (!_child.IsOpen(StandardStream.Output))
        {
            _output.End();
        }

        if (!_child.IsOpen(StandardStream.Error))
        {
            _error.End();
        }
    }

    /// <summary>Takes what is there, and reads no more.</summary>
    public void EndAll()
    {
        if (AreOpen)
        {
            _child.DrainOutput();
            _outputIsHeld = _child.IsOpen(StandardStream.Output);
            _errorIsHeld = _child.IsOpen(StandardStream.Error);
            _child.StopReading();
        }

        EndClosed();
        if (Lines.IsUsed && _linesWait)
        {
            // Not here: the lock of the live lines is never taken inside the gate.
            _linesWait = false;
            _threads.Post(Lines.EndWaits);
        }
    }

    /// <summary>Waits no longer for receivers that may wait for their users.</summary>
    public void Abandon()
    {
        _output.Abandon();
        _error.Abandon();
    }
}
