namespace ProcessRunner.Backends;

/// <summary>Provides the feed and the sinks of a child, for the streams that are bound to pipes.</summary>
internal abstract class ChildStreams
{
    /// <summary>Gets the source of the bytes for standard input.</summary>
    public abstract InputFeed Input { get; }

    /// <summary>Gets the destination of the bytes of standard output.</summary>
    public abstract OutputSink Output { get; }

    /// <summary>Gets the destination of the bytes of standard error.</summary>
    public abstract OutputSink Error { get; }

    /// <summary>Returns the destination of the bytes of a channel.</summary>
    public abstract OutputSink Channel(int number);
}
