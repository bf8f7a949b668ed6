using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.IO.Pipelines;
using System.Linq;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Capture;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.Streams.Pumps;

namespace ProcessRunner;

/// <summary>
/// Specifies where a stream of a child goes. Immutable, except for the objects that it was given. Delivery threads call
/// callbacks and streams, in the <see cref="ExecutionContext"/> of the caller that runs the command. A child has one
/// call at a time, for all its streams together, and each stream has its calls in order. None begins after the wait for
/// the run, its stop or its disposal has returned. The exception is a call that was given up: of a target that a <see
/// cref="Tee"/> has cut off, or of a run that is being stopped or is over a limit. A call that blocks delays its own
/// child alone. One that throws ends the delivery of its stream, and the wait for the run throws the same exception.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public abstract class OutputTarget
{
    private static readonly LineOptions s_lineDefaults = new();
    private static readonly OutputTarget s_everything =
        new SinkTarget("Capture()", null, (run, stream) => new CaptureSink(run, stream, long.MaxValue));

    private protected OutputTarget()
    {
    }

    /// <summary>Gets the target that discards everything: the child writes to the null device.</summary>
    public static OutputTarget Null { get; } = new BoundTarget(new StreamBinding(StreamBindingKind.Null));

    /// <summary>Gets the target that is the same stream of this process, such as a terminal.</summary>
    public static OutputTarget Inherit { get; } = new BoundTarget(new StreamBinding(StreamBindingKind.Inherit));

    /// <summary>
    /// Gets the target that sends standard error, and no other stream, to the target of standard output. Both share one
    /// pipe, which keeps the order of all writes. The portable backend has two pipes, and the order of its reads.
    /// </summary>
    public static OutputTarget MergeIntoOutput { get; } = new BoundTarget(new StreamBinding(StreamBindingKind.Output));

    internal virtual StreamBinding Binding => new(StreamBindingKind.Pipe);

    /// <summary>Gets whether the stream must be read through the <see cref="ChildProcess"/>.</summary>
    internal virtual bool IsLive => false;

    /// <summary>
    /// Creates a target that keeps everything for the result. Bytes beyond the engine's budget go to a temporary file.
    /// </summary>
    public static OutputTarget Capture() => s_everything;

    /// <summary>Creates a target that keeps a limited number of bytes for the result.</summary>
    /// <param name="limit">
    /// The limit in bytes: 0 or more, and at most 2,147,483,647 for <see cref="CapturePolicy.KeepHeadAndTail"/>.
    /// </param>
    /// <param name="policy">What happens to bytes beyond the limit.</param>
    /// <exception cref="ArgumentOutOfRangeException">
    /// The limit is outside that range, or there is no such policy.
    /// </exception>
    public static OutputTarget Capture(long limit, CapturePolicy policy = CapturePolicy.KeepHeadAndTail)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(limit);
        string text = string.Create(CultureInfo.InvariantCulture, $"Capture({limit}, {policy})");
        switch (policy)
        {
            case CapturePolicy.KeepHeadAndTail:
                ArgumentOutOfRangeException.ThrowIfGreaterThan(limit, int.MaxValue);
                int tail = (int)(limit / 2);
                return new SinkTarget(text, null, (run, _) =>
                    new LimitedCaptureSink(run.Services.Segments, limit - tail, tail, null));

            case CapturePolicy.KeepHead:
                return new SinkTarget(text, null, (run, _) =>
                    new LimitedCaptureSink(run.Services.Segments, limit, 0, null));

            case CapturePolicy.Fail:
                return new SinkTarget(text, null, (run, _) =>
                    new LimitedCaptureSink(run.Services.Segments, limit, 0, run.StopForLimit));

            case CapturePolicy.SpillToFile:
                return new SinkTarget(text, null, (run, stream) => new CaptureSink(run, stream, limit));

            default:
                throw new ArgumentOutOfRangeException(nameof(policy), policy, "There is no such policy.");
        }
    }

    /// <summary>
    /// Creates a target from a file. The child itself opens it before its program runs, so its bytes bypass this
    /// process. An open that blocks, such as that of a FIFO without a reader, delays this start alone. With the
    /// portable backend this process opens the file and copies the bytes.
    /// </summary>
    /// <param name="path">
    /// The path, relative to the working directory of this process. The file is created if it does not exist.
    /// </param>
    /// <param name="append">Whether the file keeps its contents. By default it is truncated.</param>
    /// <exception cref="ArgumentException">The path is null or empty, or contains a NUL character.</exception>
    public static OutputTarget ToFile(string path, bool append = false)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return new BoundTarget(
            new StreamBinding(StreamBindingKind.File, ProcessCommand.Validated(path, nameof(path)), append));
    }

    /// <summary>
    /// Creates a target from a handle or descriptor of the caller, such as a pipe, a socket or a device. The child gets
    /// a copy, so its bytes bypass this process. As one of <see cref="ProcessCommand.Channels"/> it passes the handle
    /// on, even if the child reads from it. The portable backend refuses it.
    /// </summary>
    /// <param name="handle">The handle, which stays open and is needed until the start has returned.</param>
    /// <exception cref="ArgumentNullException">The handle is null.</exception>
    [SupportedOSPlatform("linux")]
    [SupportedOSPlatform("windows")]
    public static OutputTarget ToHandle(SafeHandle handle)
    {
        ArgumentNullException.ThrowIfNull(handle);
        return new BoundTarget(new StreamBinding(StreamBindingKind.Handle, Handle: handle));
    }

    /// <summary>
    /// Creates a target that writes everything to a stream. The stream is flushed at the end and stays open.
    /// </summary>
    /// <param name="stream">The stream, for one run at a time.</param>
    /// <exception cref="ArgumentNullException">The stream is null.</exception>
    /// <exception cref="ArgumentException">The stream cannot be written.</exception>
    public static OutputTarget ToStream(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return stream.CanWrite
            ? new SinkTarget("ToStream", stream, (run, source) =>
                new DeliverySink(run, source, new StreamReceiver(stream)))
            : throw new ArgumentException("The stream cannot be written.", nameof(stream));
    }

    /// <summary>
    /// Creates a target that writes the text to a writer, decoded by the encoding of the command as it arrives. The
    /// writer is flushed at the end and stays open.
    /// </summary>
    /// <param name="writer">The writer, for one run at a time.</param>
    /// <exception cref="ArgumentNullException">The writer is null.</exception>
    public static OutputTarget ToText(TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        return TextTarget(writer, writer.Write, writer.Flush);
    }

    /// <summary>
    /// Creates a target that appends the text to a builder, decoded by the encoding of the command as it arrives.
    /// </summary>
    /// <param name="builder">
    /// The builder, which no other thread may use before the run has ended. A child appends one piece at a time, also
    /// if both of its streams have the same builder.
    /// </param>
    /// <exception cref="ArgumentNullException">The builder is null.</exception>
    public static OutputTarget ToText(StringBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return TextTarget(builder, text => builder.Append(text), static () => { });
    }

    /// <summary>
    /// Creates a target that writes the bytes to a pipe of this process, whose reader slows down the child. The writer
    /// is completed at the end. Once the reader is completed, the rest of the output is discarded.
    /// </summary>
    /// <param name="writer">
    /// The writer, for one run. A full pipe resumes on its <see cref="PipeOptions.WriterScheduler"/>: the default needs
    /// a ThreadPool thread.
    /// </param>
    /// <exception cref="ArgumentNullException">The writer is null.</exception>
    public static OutputTarget ToPipe(PipeWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        return new SinkTarget("ToPipe", writer, (run, stream) =>
            new DeliverySink(run, stream, new PipeReceiver(writer, static () => { })));
    }

    /// <summary>
    /// Creates a target that calls back with the bytes as they arrive, without an allocation per call.
    /// </summary>
    /// <param name="callback">The callback. Its span is not valid after the call.</param>
    /// <exception cref="ArgumentNullException">The callback is null.</exception>
    public static OutputTarget ToBytes(OutputBytesCallback callback)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return new SinkTarget("ToBytes", callback, (run, stream) =>
            new DeliverySink(run, stream, new BytesReceiver(callback)));
    }

    /// <summary>
    /// Creates a target that calls back with the bytes as they arrive, and waits for the task of each call before the
    /// next one. A slow task therefore slows down the child.
    /// </summary>
    /// <param name="callback">
    /// The callback. Its bytes do not change after the call. If it fails, the delivery ends and the wait for the run
    /// throws the same exception. Its token is canceled when a run that is being stopped, or is over a limit, gives up
    /// waiting for it; exceptions of actions registered with the token are ignored.
    /// </param>
    /// <exception cref="ArgumentNullException">The callback is null.</exception>
    public static OutputTarget ToBytes(Func<ReadOnlyMemory<byte>, CancellationToken, ValueTask> callback)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return new SinkTarget("ToBytes", callback, (run, stream) =>
            new DeliverySink(run, stream, new AwaitedBytesReceiver(callback)));
    }

    /// <summary>Creates a target that calls back with each line.</summary>
    /// <param name="callback">The callback, which receives the lines in order.</param>
    /// <param name="options">Where lines end; the defaults if null.</param>
    /// <exception cref="ArgumentNullException">The callback is null.</exception>
    public static OutputTarget ToLines(Action<OutputLine> callback, LineOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(callback);
        options ??= s_lineDefaults;
        return new SinkTarget("ToLines", (callback, options), (run, stream) =>
            new DeliverySink(run, stream, new LineReceiver(run, stream, options, callback)));
    }

    /// <summary>
    /// Creates a target that calls back with each line, and waits for the task of each call before the next one. A slow
    /// task therefore slows down the child.
    /// </summary>
    /// <param name="callback">
    /// The callback, which receives the lines in order. If it fails, the delivery ends and the wait for the run throws
    /// the same exception. Its token is canceled when a run that is being stopped, or is over a limit, gives up
    /// waiting for it; exceptions of actions registered with the token are ignored.
    /// </param>
    /// <param name="options">Where lines end; the defaults if null.</param>
    /// <exception cref="ArgumentNullException">The callback is null.</exception>
    public static OutputTarget ToLines(
        Func<OutputLine, CancellationToken, ValueTask> callback, LineOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return AwaitedLines(callback, callback, options ?? s_lineDefaults);
    }

    /// <inheritdoc cref="ToLines(Func{OutputLine, CancellationToken, ValueTask}, LineOptions?)"/>
    /// <param name="callback">
    /// The callback, which receives the lines in order. If it fails, the delivery ends and the wait for the run throws
    /// the same exception.
    /// </param>
    /// <param name="options"/>
    /// <remarks>
    /// For a callback that needs no token. Without this overload an asynchronous lambda would bind to the
    /// <see cref="Action{T}"/>, and nothing would wait for it.
    /// </remarks>
    public static OutputTarget ToLines(Func<OutputLine, Task> callback, LineOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return AwaitedLines(callback, (line, _) => new ValueTask(callback(line)), options ?? s_lineDefaults);
    }

    /// <summary>
    /// Creates a target that offers the lines in <see cref="ChildProcess.Lines"/>. A slow reader slows down the child.
    /// Without a reader the child stops at a full pipe, so read the lines before waiting for a child that writes a lot.
    /// Once the child has ended, stopped or not, its run waits for no reader: the contents of its pipes and of the
    /// buffers stay with the child, and a later reader loses nothing. It requires <see cref="ProcessCommand.Start"/>:
    /// any other way to run the command throws <see cref="InvalidOperationException"/>, because the lines could not be
    /// read.
    /// </summary>
    /// <param name="options">Where lines end; the defaults if null.</param>
    public static OutputTarget Live(LineOptions? options = null) =>
        new LiveTarget(options ?? s_lineDefaults);

    /// <summary>
    /// Creates a target that sends everything to several targets. A target that throws does not affect the others. A
    /// target that takes nothing for 5 s while its buffer of 256 KiB is full is cut off with a
    /// <see cref="TimeoutException"/>, which the wait for the run throws.
    /// </summary>
    /// <param name="targets">Captures, streams, callbacks and live lines.</param>
    /// <exception cref="ArgumentNullException">The array or one of its targets is a null reference.</exception>
    /// <exception cref="ArgumentException">
    /// There is no target, or the bytes of one bypass this process: <see cref="Null"/>, <see cref="Inherit"/>,
    /// <see cref="MergeIntoOutput"/>, <see cref="ToFile"/>, <c>ToHandle</c>.
    /// </exception>
    public static OutputTarget Tee(params OutputTarget[] targets)
    {
        ArgumentNullException.ThrowIfNull(targets);
        if (targets.Length == 0)
        {
            throw new ArgumentException("A Tee needs at least one target.", nameof(targets));
        }

        OutputTarget[] copy = [.. targets.SelectMany(target => target is TeeTarget tee ? tee.Targets : [target])];
        OutputTarget? bypassing = Array.Find(copy, target =>
            (target ?? throw new ArgumentNullException(nameof(targets))).Binding.Kind != StreamBindingKind.Pipe);
        if (bypassing is not null)
        {
            throw new ArgumentException(
                $"{bypassing} cannot be part of a Tee: a Tee takes targets whose bytes come through this process.",
                nameof(targets));
        }

        return new TeeTarget(copy);
    }

    /// <summary>Returns the call that creates the target, without its callback or stream.</summary>
    public abstract override string ToString();

    internal static OutputTarget To(PipeConnection connection) =>
        new BoundTarget(new StreamBinding(StreamBindingKind.Connection, Connection: connection));

    /// <summary>
    /// Returns a target that writes to a pipe of this process, and closes the child's stream once the reader has left,
    /// so that the child learns of it by its next write.
    /// </summary>
    internal static OutputTarget To(PipeWriter writer) => new SinkTarget("PipeThrough", writer, (run, stream) =>
        new DeliverySink(run, stream, new PipeReceiver(writer, () => run.Leave(stream))));

    internal abstract StreamSink CreateSink(RunStreams run, ChildOutput stream);

    private static SinkTarget TextTarget(object destination, Action<ReadOnlySpan<char>> write, Action flush) =>
        new("ToText", destination, (run, stream) =>
            new DeliverySink(run, stream, new TextReceiver(run.Command.DecodingOf(stream).Make(), write, flush)));

    private static SinkTarget AwaitedLines(
        Delegate given, Func<OutputLine, CancellationToken, ValueTask> callback, LineOptions options) =>
        new("ToLines", (given, options), (run, stream) =>
        {
            AwaitedCalls<OutputLine> calls = new(callback);
            return new DeliverySink(
                run, stream, new LineReceiver(run, stream, options, calls.Invoke, calls.CallOff));
        });

    private sealed class BoundTarget(StreamBinding binding) : OutputTarget
    {
        internal override StreamBinding Binding => binding;

        public override string ToString() => binding.Kind switch
        {
            StreamBindingKind.Output => nameof(MergeIntoOutput),
            StreamBindingKind.File => $"ToFile({binding.Path})",
            StreamBindingKind.Handle => nameof(ToHandle),
            _ => binding.Kind.ToString(),
        };

        public override bool Equals(object? obj) => obj is BoundTarget other && binding == other.Binding;

        public override int GetHashCode() => binding.GetHashCode();

        internal override StreamSink CreateSink(RunStreams run, ChildOutput stream) =>
            PumpedStream.CreateSink(binding, run, stream) ?? NoSink.Instance;
    }

    // Two targets are equal if the same call with the same object creates both.
    private sealed class SinkTarget(string text, object? subject, Func<RunStreams, ChildOutput, StreamSink> create)
        : OutputTarget
    {
        private (string Text, object? Subject) Identity => (text, subject);

        public override string ToString() => text;

        public override bool Equals(object? obj) => obj is SinkTarget other && Identity.Equals(other.Identity);

        public override int GetHashCode() => Identity.GetHashCode();

        internal override StreamSink CreateSink(RunStreams run, ChildOutput stream) => create(run, stream);
    }

    private sealed class LiveTarget(LineOptions options) : OutputTarget
    {
        private LineOptions Options => options;

        internal override bool IsLive => true;

        public override string ToString() => "Live()";

        public override bool Equals(object? obj) => obj is LiveTarget other && options == other.Options;

        public override int GetHashCode() => options.GetHashCode();

        internal override StreamSink CreateSink(RunStreams run, ChildOutput stream) =>
            new DeliverySink(run, stream, new LiveReceiver(run, stream, options));
    }

    private sealed class TeeTarget(OutputTarget[] targets) : OutputTarget
    {
        public OutputTarget[] Targets => targets;

        internal override bool IsLive => Array.Exists(targets, target => target.IsLive);

        public override string ToString() => $"Tee({string.Join<OutputTarget>(", ", targets)})";

        public override bool Equals(object? obj) => obj is TeeTarget other && targets.SequenceEqual(other.Targets);

        public override int GetHashCode() => targets.Length;

        internal override StreamSink CreateSink(RunStreams run, ChildOutput stream) =>
            new TeeSink([.. targets.Select(target => target.CreateSink(run, stream))]);
    }
}
