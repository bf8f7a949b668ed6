using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Portable;

/// <summary>
/// Represents this process's ends of the pipes of one child. A standard error that goes where the standard output goes
/// has a pipe of its own, whose bytes reach the same sink.
/// </summary>
/// <remarks>A part of one <see cref="PortableChild"/>, whose gate guards it.</remarks>
internal sealed class PortablePipes
{
    private readonly PortableChild _child;
    private readonly ILaunchPlan _plan;
    private readonly BlockingReader? _output;
    private readonly BlockingReader? _error;
    private readonly BlockingWriter? _input;
    private readonly List<Action> _jobs = new(3);

    /// <exception cref="OutOfMemoryException">There is no memory.</exception>
    public PortablePipes(PortableChild child, ILaunchPlan plan, PortableProcess process, ChildStreams streams)
    {
        _child = child;
        _plan = plan;
        if (process.Input is Stream inputPipe)
        {
            _input = new BlockingWriter(child, inputPipe, streams.Input);
            _jobs.Add(_input.Run);
        }

        OutputSink? output = plan.Output.Kind == StreamBindingKind.Pipe ? streams.Output : null;
        if (process.Output is Stream outputPipe)
        {
            _output = new BlockingReader(child, outputPipe, output);
            _jobs.Add(_output.Run);
        }

        if (process.Error is Stream errorPipe)
        {
            OutputSink? error = plan.Error.Kind == StreamBindingKind.Pipe ? streams.Error : null;
            _error = new BlockingReader(child, errorPipe, IsMerged ? output : error);
            _jobs.Add(_error.Run);
        }
    }

    /// <summary>Gets whether a sink has not taken yet what was read.</summary>
    public bool AreHeldUp => _output is { IsHeldUp: true } || _error is { IsHeldUp: true };

    private bool IsMerged => _plan.Error.Kind == StreamBindingKind.Output;

    private long DrainedAt =>
        Math.Max(_output?.DrainedAt ?? long.MinValue, _error?.DrainedAt ?? long.MinValue);

    /// <summary>Begins to read and to write, on reserved threads. Allocates no memory.</summary>
    public void Begin(WorkerThreads workers)
    {
        foreach (Action job in _jobs)
        {
            workers.Run(job);
        }
    }

    /// <summary>Returns whether the stream is a pipe for a sink, and may still have bytes.</summary>
    public bool IsOpen(ChildOutput stream) => stream == ChildOutput.Output
        ? _plan.Output.Kind == StreamBindingKind.Pipe
            && (_output is { IsOpen: true } || (IsMerged && _error is { IsOpen: true }))
        : _plan.Error.Kind == StreamBindingKind.Pipe && _error is { IsOpen: true };

    /// <summary>Takes bytes that a thread has read for a sink that reads by itself.</summary>
    public int Take(ChildOutput stream, Span<byte> room)
    {
        int count = stream == ChildOutput.Output ? _output?.Take(room) ?? 0 : 0;
        return Includes(stream) ? count + (_error?.Take(room[count..]) ?? 0) : count;
    }

    /// <summary>Continues to read for a sink that was full.</summary>
    public void Resume(ChildOutput stream)
    {
        if (stream == ChildOutput.Output)
        {
            _output?.Resume();
        }

        if (Includes(stream))
        {
            _error?.Resume();
        }
    }

    /// <summary>Passes on what the child has left in its pipes, even to a full sink.</summary>
    public void Drain()
    {
        _output?.Drain();
        _error?.Drain();
    }

    /// <summary>
    /// Waits until everything that the child has left is read. Another process can keep the pipes open, and then no end
    /// comes: the wait ends once they have been empty or silent. Releases the gate meanwhile.
    /// </summary>
    public void AwaitDrained()
    {
        Drain();
        while (MonotonicClock.MillisecondsUntil(DrainedAt, MonotonicClock.Now) is > 0 and int patience)
        {
            Monitor.Wait(_child.Gate, patience);
        }
    }

    /// <summary>Reads no further.</summary>
    public void StopReading(ChildOutput stream)
    {
        if (stream == ChildOutput.Output)
        {
            _output?.Stop();
        }

        if (Includes(stream))
        {
            _error?.Stop();
        }
    }

    /// <summary>Gives up the rest of the input.</summary>
    public void StopWriting() => _input?.Stop();

    /// <summary>Closes the pipes of a child for which nothing has begun.</summary>
    public void CloseUnused()
    {
        _input?.Close();
        _output?.Close();
        _error?.Close();
    }

    /// <summary>Gives up everything.</summary>
    public void Stop()
    {
        _input?.Stop();
        _output?.Stop();
        _error?.Stop();
    }

    // Returns whether the bytes of the standard error belong to the stream.
    private bool Includes(ChildOutput stream) => stream == ChildOutput.Error || IsMerged;
}
