using System;
using System.IO;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Input;

/// <summary>Input that a delivery thread reads from a stream of the user's.</summary>
internal sealed class StreamPump(RunStreams run, Stream stream) : QueueFeed(run.Child)
{
    private const int ChunkSize = 64 * 1024;

    private volatile ExceptionDispatchInfo? _failure;

    public override ExceptionDispatchInfo? Failure => _failure;

    public override void Start() => run.Services.Threads.Post(Pump);

    private void Pump()
    {
        try
        {
            byte[] chunk = Buffers.Allocate<byte>(ChunkSize);
            int count;
            while ((count = stream.Read(chunk)) > 0 && Write(chunk.AsSpan(0, count)))
            {
            }
        }
        catch (Exception exception)
        {
            _failure = ExceptionDispatchInfo.Capture(exception);
        }

        Complete();
    }
}
