using System;
using System.IO;
using ProcessRunner.Backends;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Input;

namespace ProcessRunner;

/// <summary>
/// Tells where a child's standard input comes from. It is written while both outputs are drained, so that no order of
/// reading and writing can lock. A child that stops reading early is no error.
/// </summary>
public abstract class InputSource
{
    private protected InputSource()
    {
    }

    /// <summary>Gets the source without a byte: the child reads the null device.</summary>
    public static InputSource Null { get; } = new BoundSource(new StreamBinding(StreamBindingKind.Null));

    /// <summary>Gets the source that is this process's own standard input.</summary>
    public static InputSource Inherit { get; } = new BoundSource(new StreamBinding(StreamBindingKind.Inherit));

    /// <summary>
    /// Gets the source that is written by hand, through <see cref="ChildProcess.StandardInput"/>: it takes
    /// <see cref="ProcessCommand.Start"/>, and any other way to run a command throws <see cref="InvalidOperationException"/>.
    /// </summary>
    public static InputSource Pipe { get; } = new FedSource(run => new QueueFeed(run.Child));

    internal virtual StreamBinding Binding => new(StreamBindingKind.Pipe);

    /// <summary>Whether a second run would find it read.</summary>
    internal virtual bool IsReadOnce => false;

    /// <summary>Gives the child a text in the encoding of the command.</summary>
    /// <param name="text">The whole input.</param>
    /// <exception cref="ArgumentNullException">It is null.</exception>
    public static InputSource FromText(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return new FedSource(run => new MemoryFeed(run.Command.Encoding.GetBytes(text)));
    }

    /// <summary>Gives the child bytes.</summary>
    /// <param name="bytes">The whole input; must not change while it runs.</param>
    public static InputSource FromBytes(ReadOnlyMemory<byte> bytes) => new FedSource(_ => new MemoryFeed(bytes));

    /// <summary>
    /// Has the child read a file, which it opens itself before its program runs: no byte goes through us, and an open that
    /// blocks, of a FIFO without a writer say, holds up this start alone.
    /// </summary>
    /// <param name="path">Relative to this process's directory.</param>
    /// <exception cref="ArgumentException">The path is null or empty.</exception>
    public static InputSource FromFile(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return new BoundSource(new StreamBinding(StreamBindingKind.File, path));
    }

    /// <summary>
    /// Gives the child what a stream yields, read ahead on a delivery thread of the engine. It stays open and is never rewound, so a
    /// second run goes on where the first one left it; a batch with retries or repetitions refuses it.
    /// </summary>
    /// <param name="stream">
    /// Used by one run at a time. If it throws, the wait for the run throws the same. Once a run has ended no further read begins; one
    /// that is under way takes what comes, and nobody gets that.
    /// </param>
    /// <exception cref="ArgumentNullException">It is null.</exception>
    /// <exception cref="ArgumentException">It cannot be read.</exception>
    public static InputSource FromStream(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return stream.CanRead
            ? new StreamSource(stream)
            : throw new ArgumentException("The stream cannot be read.", nameof(stream));
    }

    internal static InputSource From(PipeConnection connection) =>
        new BoundSource(new StreamBinding(StreamBindingKind.Connection, Connection: connection));

    internal abstract StreamFeed CreateFeed(RunStreams run);

    private sealed class BoundSource(StreamBinding binding) : InputSource
    {
        internal override StreamBinding Binding => binding;

        internal override StreamFeed CreateFeed(RunStreams run) => NoFeed.Instance;
    }

    private sealed class StreamSource(Stream stream) : InputSource
    {
        internal override bool IsReadOnce => true;

        internal override StreamFeed CreateFeed(RunStreams run) => new StreamPump(run, stream);
    }

    private sealed class FedSource(Func<RunStreams, StreamFeed> create) : InputSource
    {
        internal override StreamFeed CreateFeed(RunStreams run) => create(run);
    }
}
