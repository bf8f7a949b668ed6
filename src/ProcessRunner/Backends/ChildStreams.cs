namespace ProcessRunner.Backends;

/// <summary>What the reactor feeds a child from and drains it to, for the streams that are bound to pipes.</summary>
/// <param name="Input">Where the bytes for standard input come from.</param>
/// <param name="Output">Where the bytes of standard output go.</param>
/// <param name="Error">Where the bytes of standard error go.</param>
internal sealed record ChildStreams(InputFeed Input, OutputSink Output, OutputSink Error);
