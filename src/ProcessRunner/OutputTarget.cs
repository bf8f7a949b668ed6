using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Capture;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner;

/// <summary>
/// Tells where a stream of a child goes. Immutable, unless what it was given is not. Callbacks and streams are called on
/// delivery threads of the engine, in the <see cref="ExecutionContext"/> of the caller that runs the command: for one child one
/// call at a time, whichever stream it is for, and for one stream in order. None begins after the wait for the run, its disposal or
/// its stop has returned. One that blocks holds up its own child alone; one that throws ends the delivery of its stream, and the
/// wait for the run throws the same.
/// </summary>
public abstract class OutputTarget
{
    private static readonly LineOptions s_lineDefaults = new();
    private static readonly OutputTarget s_everything = new SinkTarget((run, stream) => new CaptureSink(run, stream, long.MaxValue));

    private protected OutputTarget()
    {
    }

    /// <summary>Gets the target that lets everything go: the child writes to the null device.</summary>
    public static OutputTarget Null { get; } = new BoundTarget(new StreamBinding(StreamBindingKind.Null));

    /// <summary>Gets the target that is the same stream of this process: a terminal, say.</summary>
    public static OutputTarget Inherit { get; } = new BoundTarget(new StreamBinding(StreamBindingKind.Inherit));

    /// <summary>
    /// Gets, for standard error only, the target of standard output: one pipe, so that the order of all writes is kept.
    /// </summary>
    public static OutputTarget MergeIntoOutput { get; } = new BoundTarget(new StreamBinding(StreamBindingKind.Output));

    internal virtual StreamBinding Binding => new(StreamBindingKind.Pipe);

    /// <summary>Whether somebody must read it by the <see cref="ChildProcess"/>.</summary>
    internal virtual bool IsLive => false;

    /// <summary>Keeps everything for the result; beyond the engine's budget in a temporary file.</summary>
    public static OutputTarget Capture() => s_everything;

    /// <summary>Keeps a limited number of bytes for the result.</summary>
    /// <param name="limit">In bytes; 0 or more, and at most 2,147,483,647 for <see cref="CapturePolicy.KeepHeadAndTail"/>.</param>
    /// <param name="policy">What becomes of more.</param>
    /// <exception cref="ArgumentOutOfRangeException">The limit is outside that range, or there is no such policy.</exception>
    public static OutputTarget Capture(long limit, CapturePolicy policy = CapturePolicy.KeepHeadAndTail)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(limit);
        switch (policy)
        {
            case CapturePolicy.KeepHeadAndTail:
                ArgumentOutOfRangeException.ThrowIfGreaterThan(limit, int.MaxValue);
                int tail = (int)(limit / 2);
                return new SinkTarget((run, _) => new LimitedCaptureSink(run.Services.Segments, limit - tail, tail, null));

            case CapturePolicy.KeepHead:
                return new SinkTarget((run, _) => new LimitedCaptureSink(run.Services.Segments, limit, 0, null));

            case CapturePolicy.Fail:
                return new SinkTarget((run, _) => new LimitedCaptureSink(run.Services.Segments, limit, 0, run.StopForLimit));

            case CapturePolicy.SpillToFile:
                return new SinkTarget((run, stream) => new CaptureSink(run, stream, limit));

            default:
                throw new ArgumentOutOfRangeException(nameof(policy), policy, "There is no such policy.");
        }
    }

    /// <summary>
    /// Has the child write to a file, which it opens itself before its program runs: no byte goes through us, and an open that
    /// blocks, of a FIFO without a reader say, holds up this start alone.
    /// </summary>
    /// <param name="path">Made if it is not there; relative to this process's directory.</param>
    /// <param name="append">Whether it keeps what it holds. Emptied by default.</param>
    /// <exception cref="ArgumentException">The path is null or empty.</exception>
    public static OutputTarget ToFile(string path, bool append = false)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return new BoundTarget(new StreamBinding(StreamBindingKind.File, path, append));
    }

    /// <summary>Writes everything to a stream, which is flushed at the end and stays open.</summary>
    /// <param name="stream">Used by one run at a time.</param>
    /// <exception cref="ArgumentNullException">It is null.</exception>
    /// <exception cref="ArgumentException">It cannot be written.</exception>
    public static OutputTarget ToStream(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return stream.CanWrite
            ? new SinkTarget((run, source) => new DeliverySink(run, source, new StreamReceiver(stream)))
            : throw new ArgumentException("The stream cannot be written.", nameof(stream));
    }

    /// <summary>Calls back with the bytes as they come, without an allocation per call.</summary>
    /// <param name="callback">A span that is not valid after the call.</param>
    /// <exception cref="ArgumentNullException">It is null.</exception>
    public static OutputTarget ToBytes(OutputBytesCallback callback)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return new SinkTarget((run, stream) => new DeliverySink(run, stream, new BytesReceiver(callback)));
    }

    /// <summary>
    /// Calls back with the bytes as they come, and waits for each call's task before the next: the child feels how long it takes.
    /// </summary>
    /// <param name="callback">
    /// Takes bytes, which stay as they are. What it fails with ends the delivery, and the wait for the run throws it. Its token is
    /// cancelled if a run that is being stopped, or is over a limit, waits for it no longer.
    /// </param>
    /// <exception cref="ArgumentNullException">It is null.</exception>
    public static OutputTarget ToBytes(Func<ReadOnlyMemory<byte>, CancellationToken, ValueTask> callback)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return new SinkTarget((run, stream) => new DeliverySink(run, stream, new AwaitedBytesReceiver(callback)));
    }

    /// <summary>Calls back with each line.</summary>
    /// <param name="callback">Takes the lines in order.</param>
    /// <param name="options">Where lines end; the defaults if null.</param>
    /// <exception cref="ArgumentNullException">The callback is null.</exception>
    public static OutputTarget ToLines(Action<OutputLine> callback, LineOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return new SinkTarget((run, stream) =>
            new DeliverySink(run, stream, new LineReceiver(run, stream, options ?? s_lineDefaults, callback)));
    }

    /// <summary>Calls back with each line, and waits for each call's task before the next: the child feels how long it takes.</summary>
    /// <param name="callback">
    /// Takes the lines in order. What it fails with ends the delivery, and the wait for the run throws it. Its token is
    /// cancelled if a run that is being stopped, or is over a limit, waits for it no longer.
    /// </param>
    /// <param name="options">Where lines end; the defaults if null.</param>
    /// <exception cref="ArgumentNullException">The callback is null.</exception>
    public static OutputTarget ToLines(Func<OutputLine, CancellationToken, ValueTask> callback, LineOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return new SinkTarget((run, stream) =>
        {
            AwaitedCalls<OutputLine> calls = new(callback);
            return new DeliverySink(
                run, stream, new LineReceiver(run, stream, options ?? s_lineDefaults, calls.Invoke, calls.CallOff));
        });
    }

    /// <inheritdoc cref="ToLines(Func{OutputLine, CancellationToken, ValueTask}, LineOptions?)"/>
    /// <remarks>For a callback that needs no token. Without it an asynchronous lambda would be one that nobody waits for.</remarks>
    public static OutputTarget ToLines(Func<OutputLine, Task> callback, LineOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return ToLines((line, _) => new ValueTask(callback(line)), options);
    }

    /// <summary>
    /// Offers the lines in <see cref="ChildProcess.Lines"/>. A reader that is slow slows the child down; where nobody reads
    /// at all the child stops at a full pipe, so do not wait for one that writes a lot before its lines have been read. Once
    /// the child has ended, stopped or not, its run waits for no reader: what its pipes and our buffers held is kept with the
    /// child, and whoever reads on loses nothing. It takes <see cref="ProcessCommand.Start"/>: any other way to run a command throws
    /// <see cref="InvalidOperationException"/>, since nobody could read.
    /// </summary>
    /// <param name="options">Where lines end; the defaults if null.</param>
    public static OutputTarget Live(LineOptions? options = null) =>
        new LiveTarget(options ?? s_lineDefaults);

    /// <summary>
    /// Sends everything to several targets. One that throws does not harm the others; one that takes nothing for 5 s while
    /// its buffer of 256 KiB is full is cut off with a <see cref="TimeoutException"/>, which the wait for the run throws.
    /// </summary>
    /// <param name="targets">Captures, streams, callbacks and live lines.</param>
    /// <exception cref="ArgumentNullException">One of them is null.</exception>
    /// <exception cref="ArgumentException">There is none, or one of them is not served by us: null, inherited, a file.</exception>
    public static OutputTarget Tee(params OutputTarget[] targets)
    {
        ArgumentNullException.ThrowIfNull(targets);
        ArgumentOutOfRangeException.ThrowIfZero(targets.Length, nameof(targets));
        OutputTarget[] copy = [.. targets.SelectMany(target => target is TeeTarget tee ? tee.Targets : [target])];
        if (Array.Exists(copy, target => (target ?? throw new ArgumentNullException(nameof(targets))).Binding.Kind != StreamBindingKind.Pipe))
        {
            throw new ArgumentException("A Tee takes targets whose bytes come through this process.", nameof(targets));
        }

        return new TeeTarget(copy);
    }

    internal static OutputTarget To(PipeConnection connection) =>
        new BoundTarget(new StreamBinding(StreamBindingKind.Connection, Connection: connection));

    internal abstract StreamSink CreateSink(RunStreams run, StandardStream stream);

    private sealed class BoundTarget(StreamBinding binding) : OutputTarget
    {
        internal override StreamBinding Binding => binding;

        internal override StreamSink CreateSink(RunStreams run, StandardStream stream) => NoSink.Instance;
    }

    private sealed class SinkTarget(Func<RunStreams, StandardStream, StreamSink> create) : OutputTarget
    {
        internal override StreamSink CreateSink(RunStreams run, StandardStream stream) => create(run, stream);
    }

    private sealed class LiveTarget(LineOptions options) : OutputTarget
    {
        internal override bool IsLive => true;

        internal override StreamSink CreateSink(RunStreams run, StandardStream stream) =>
            new DeliverySink(run, stream, new LiveReceiver(run, stream, options));
    }

    private sealed class TeeTarget(OutputTarget[] targets) : OutputTarget
    {
        public OutputTarget[] Targets => targets;

        internal override bool IsLive => Array.Exists(targets, target => target.IsLive);

        internal override StreamSink CreateSink(RunStreams run, StandardStream stream) =>
            new TeeSink([.. targets.Select(target => target.CreateSink(run, stream))]);
    }
}
