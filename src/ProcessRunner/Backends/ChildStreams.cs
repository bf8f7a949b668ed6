namespace ProcessRunner.Backends;

/// <summary>What the reactor feeds a child from and drains it to, for the streams that are bound to pipes.</summary>
internal abstract class ChildStreams
{
    /// <summary>Where the bytes for standard input come from.</summary>
    public abstract InputFeed Input { get; }

    /// <summary>Where the bytes of standard output go.</summary>
    public abstract OutputSink Output { get; }

    /// <summary>Where the bytes of standard error go.</summary>
    public abstract OutputSink Error { get; }
}
