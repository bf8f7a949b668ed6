using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Input;
using ProcessRunner.Streams.Pumps;

namespace ProcessRunner;

/// <summary>
/// Specifies where a child's standard input comes from. The input is written while both outputs are drained, so no
/// order of reads and writes can deadlock. A child that stops reading early is not an error.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public abstract class InputSource
{
    private protected InputSource()
    {
    }

    /// <summary>Gets the empty source: the child reads the null device.</summary>
    public static InputSource Null { get; } = new BoundSource(new StreamBinding(StreamBindingKind.Null));

    /// <summary>Gets the source that is the standard input of this process.</summary>
    public static InputSource Inherit { get; } = new BoundSource(new StreamBinding(StreamBindingKind.Inherit));

    /// <summary>
    /// Gets the source that the caller writes through <see cref="ChildProcess.StandardInput"/>. It requires
    /// <see cref="ProcessCommand.Start"/>: any other way to run the command throws
    /// <see cref="InvalidOperationException"/>.
    /// </summary>
    public static InputSource Pipe { get; } = new FedSource("Pipe", null, run => new QueueFeed(run.Child));

    internal virtual StreamBinding Binding => new(StreamBindingKind.Pipe);

    /// <summary>Gets whether a second run would find the source already read.</summary>
    internal virtual bool IsReadOnce => false;

    /// <summary>Notes that a command of a batch reads the source. Thread-safe.</summary>
    /// <param name="batch">An object that stands for the batch.</param>
    /// <returns>False if an earlier command of that batch reads the same bytes, which can be read only once.</returns>
    internal virtual bool TryClaimInBatch(object batch) => true;

    /// <summary>Creates a source from a text, in the encoding of the command.</summary>
    /// <param name="text">The whole input.</param>
    /// <returns>The source, which any number of runs can read, also at the same time.</returns>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    public static InputSource FromText(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return new FedSource("FromText", text, run => new MemoryFeed(run.Command.InputEncoding.GetBytes(text)));
    }

    /// <summary>Creates a source from bytes.</summary>
    /// <param name="bytes">The whole input. It must not change during the run.</param>
    /// <returns>The source, which any number of runs can read, also at the same time.</returns>
    public static InputSource FromBytes(ReadOnlyMemory<byte> bytes) =>
        new FedSource("FromBytes", bytes, _ => new MemoryFeed(bytes));

    /// <summary>
    /// Creates a source from a file. The child itself opens it before its program runs, so its bytes bypass this
    /// process. An open that blocks, such as that of a FIFO without a writer, delays this start alone. With the
    /// portable backend this process opens the file and copies the bytes.
    /// </summary>
    /// <param name="path">The path, relative to the working directory of this process.</param>
    /// <returns>The source, which any number of runs can read, also at the same time.</returns>
    /// <exception cref="ArgumentException">The path is null or empty, or contains a NUL character.</exception>
    public static InputSource FromFile(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return new BoundSource(
            new StreamBinding(StreamBindingKind.File, ProcessCommand.Validated(path, nameof(path))));
    }

    /// <summary>
    /// Creates a source from a handle or descriptor of the caller, such as a pipe, a socket or a device. The child gets
    /// a copy, so its bytes bypass this process. The portable backend refuses it.
    /// </summary>
    /// <param name="handle">The handle, which stays open and is needed until the start has returned.</param>
    /// <exception cref="ArgumentNullException">The handle is null.</exception>
    [SupportedOSPlatform("linux")]
    [SupportedOSPlatform("windows")]
    public static InputSource FromHandle(SafeHandle handle)
    {
        ArgumentNullException.ThrowIfNull(handle);
        return new BoundSource(new StreamBinding(StreamBindingKind.Handle, Handle: handle));
    }

    /// <summary>
    /// Creates a source from a stream, which a delivery thread of the engine reads ahead. The stream stays open and is
    /// never rewound: a second run continues where the first one stopped. A batch refuses it for a command that may run
    /// again (retries, repetitions), and for every command but the first that reads it.
    /// </summary>
    /// <param name="stream">
    /// The stream, for one run at a time: another run throws <see cref="InvalidOperationException"/> meanwhile. If it
    /// throws, the wait for the run throws the same exception. No read begins after the end of a run; the data of a
    /// read in progress at that moment is lost.
    /// </param>
    /// <returns>The source, for one run at a time.</returns>
    /// <exception cref="ArgumentNullException">The stream is null.</exception>
    /// <exception cref="ArgumentException">The stream cannot be read.</exception>
    public static InputSource FromStream(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return stream.CanRead
            ? new StreamSource(stream)
            : throw new ArgumentException("The stream cannot be read.", nameof(stream));
    }

    /// <summary>
    /// Creates a source that a function writes, on a delivery thread of the engine. The input ends when the function
    /// does.
    /// </summary>
    /// <param name="write">
    /// The function. Its stream is the child's standard input, where a write waits while the child reads more slowly,
    /// and does nothing once the child has stopped reading. Its token is canceled then. If it throws before, the wait
    /// for the run throws the same exception. It is called once for each run, unless the child has stopped reading
    /// before. A run whose child has ended does not wait for it.
    /// </param>
    /// <returns>The source. Each run calls the function anew.</returns>
    /// <exception cref="ArgumentNullException">The function is null.</exception>
    public static InputSource FromWriter(Func<Stream, CancellationToken, Task> write)
    {
        ArgumentNullException.ThrowIfNull(write);
        return new FedSource(
            nameof(FromWriter),
            write,
            run => new WriterFeed(run, (input, token) => new ValueTask(write(input, token))));
    }

    /// <summary>
    /// Creates a source from lines, in the encoding of the command and each with a line feed. A delivery thread of the
    /// engine enumerates them as the child reads, once for each run.
    /// </summary>
    /// <param name="lines">
    /// The lines. If they throw, the wait for the run throws the same exception. No line is asked for once the child
    /// has stopped reading. A run whose child has ended does not wait for the line that is under way then.
    /// </param>
    /// <returns>The source. Each run enumerates the lines anew.</returns>
    /// <exception cref="ArgumentNullException">The lines are null.</exception>
    public static InputSource FromLines(IEnumerable<string> lines)
    {
        ArgumentNullException.ThrowIfNull(lines);
        return new FedSource(nameof(FromLines), lines, run => SequenceFeed(run, _ => lines.Select(LineBytes(run))));
    }

    /// <inheritdoc cref="FromLines(IEnumerable{string})"/>
    public static InputSource FromLines(IAsyncEnumerable<string> lines)
    {
        ArgumentNullException.ThrowIfNull(lines);
        return new FedSource(
            nameof(FromLines),
            lines,
            run => SequenceFeed(run, stop => BlockingEnumeration.Of(lines, stop).Select(LineBytes(run))));
    }

    /// <summary>
    /// Creates a source from pieces of bytes. A delivery thread of the engine enumerates them as the child reads, once
    /// for each run.
    /// </summary>
    /// <param name="pieces">
    /// The pieces. If they throw, the wait for the run throws the same exception. No piece is asked for once the child
    /// has stopped reading. A run whose child has ended does not wait for the piece that is under way then.
    /// </param>
    /// <returns>The source. Each run enumerates the pieces anew.</returns>
    /// <exception cref="ArgumentNullException">The pieces are null.</exception>
    public static InputSource FromBytes(IAsyncEnumerable<ReadOnlyMemory<byte>> pieces)
    {
        ArgumentNullException.ThrowIfNull(pieces);
        return new FedSource(
            nameof(FromBytes), pieces, run => SequenceFeed(run, stop => BlockingEnumeration.Of(pieces, stop)));
    }

    /// <summary>Returns the call that creates the source, without its contents.</summary>
    public abstract override string ToString();

    internal static InputSource From(PipeConnection connection) =>
        new BoundSource(new StreamBinding(StreamBindingKind.Connection, Connection: connection));

    /// <summary>Returns what the code of a pipeline writes.</summary>
    internal static InputSource From(CodeConnection connection) => new FedSource(
        nameof(FromWriter),
        connection,
        run => new WriterFeed(
            run, (input, token) => new ValueTask(connection.TransformAsync(input, token)), connection.Abandon));

    internal abstract StreamFeed CreateFeed(RunStreams run);

    private static Func<string, ReadOnlyMemory<byte>> LineBytes(RunStreams run)
    {
        Encoding encoding = run.Command.InputEncoding;
        return line => encoding.GetBytes($"{line}\n");
    }

    // No piece is asked for once the child no longer reads.
    private static WriterFeed SequenceFeed(
        RunStreams run, Func<CancellationToken, IEnumerable<ReadOnlyMemory<byte>>> pieces) =>
        new(run, (input, stop) =>
        {
            _ = pieces(stop).All(piece => input.TryWrite(piece.Span));
            return ValueTask.CompletedTask;
        });

    private sealed class BoundSource(StreamBinding binding) : InputSource
    {
        internal override StreamBinding Binding => binding;

        public override string ToString() => binding.Kind switch
        {
            StreamBindingKind.File => $"FromFile({binding.Path})",
            StreamBindingKind.Handle => nameof(FromHandle),
            _ => binding.Kind.ToString(),
        };

        public override bool Equals(object? obj) => obj is BoundSource other && binding == other.Binding;

        public override int GetHashCode() => binding.GetHashCode();

        internal override StreamFeed CreateFeed(RunStreams run) =>
            PumpedStream.CreateFeed(binding, run) ?? NoFeed.Instance;
    }

    private sealed class StreamSource(Stream stream) : InputSource
    {
        private Stream Stream => stream;

        internal override bool IsReadOnce => true;

        public override string ToString() => nameof(FromStream);

        public override bool Equals(object? obj) => obj is StreamSource other && stream == other.Stream;

        public override int GetHashCode() => stream.GetHashCode();

        internal override bool TryClaimInBatch(object batch) => StreamUse.Of(stream).TryClaimInBatch(batch);

        internal override StreamFeed CreateFeed(RunStreams run) => new UserStreamPump(run, stream);
    }

    // Two sources are equal if the same call with the same contents creates both.
    private sealed class FedSource(string text, object? contents, Func<RunStreams, StreamFeed> create) : InputSource
    {
        private (string Text, object? Contents) Identity => (text, contents);

        public override string ToString() => text;

        public override bool Equals(object? obj) => obj is FedSource other && Identity.Equals(other.Identity);

        public override int GetHashCode() => Identity.GetHashCode();

        internal override StreamFeed CreateFeed(RunStreams run) => create(run);
    }
}
