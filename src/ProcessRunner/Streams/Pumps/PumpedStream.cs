using ProcessRunner.Backends;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.Streams.Input;

namespace ProcessRunner.Streams.Pumps;

/// <summary>
/// Creates the pumps that carry the bytes of a child where the backend cannot bind its stream directly: between a pipe
/// and a file, or between two children.
/// </summary>
internal static class PumpedStream
{
    /// <summary>Creates the sink of a stream, or null if its bytes bypass this process.</summary>
    public static StreamSink? CreateSink(StreamBinding binding, RunStreams run, ChildOutput stream)
    {
        if (!run.Services.Capabilities.Pumps(binding.Kind))
        {
            return null;
        }

        return new DeliverySink(run, stream, binding.Connection is PumpedConnection connection
            ? new ConnectionReceiver(run, stream, connection)
            : new FileReceiver(binding.Path!, binding.Append, stream));
    }

    /// <summary>Creates the feed of a standard input, or null if its bytes bypass this process.</summary>
    public static StreamFeed? CreateFeed(StreamBinding binding, RunStreams run)
    {
        if (!run.Services.Capabilities.Pumps(binding.Kind))
        {
            return null;
        }

        if (binding.Connection is PumpedConnection connection)
        {
            QueueFeed feed = new(run.Child);
            connection.Attach(feed);
            return feed;
        }

        return new FilePump(run, binding.Path!);
    }
}
