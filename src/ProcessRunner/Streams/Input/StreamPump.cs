using System;
using System.IO;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams.Input;

/// <summary>Provides input that a delivery thread reads from a stream.</summary>
internal abstract class StreamPump : QueueFeed
{
    private const int ChunkSize = 64 * 1024;

    private readonly IDeliveryThreads _threads;
    private readonly DeliveryJob _pump;
    private volatile ExceptionDispatchInfo? _failure;

    protected StreamPump(RunStreams run, Stream? stream)
        : base(run.Child)
    {
        _threads = run.Services.Threads;
        _pump = new DeliveryJob(Pump, run.Context);
        Source = stream;
    }

    /// <summary>Gets or sets the stream, which is there before <see cref="Start"/>.</summary>
    protected Stream? Source { get; set; }

    public override ExceptionDispatchInfo? Failure => _failure;

    public override void Start() => _threads.Post(_pump);

    private void Pump()
    {
        try
        {
            byte[] chunk = Buffers.Allocate<byte>(ChunkSize);
            int count;
            while ((count = Read(chunk)) > 0 && Write(chunk.AsSpan(0, count)))
            {
            }
        }
        catch (Exception exception)
        {
            _failure = ExceptionDispatchInfo.Capture(exception);
        }

        Complete();
        OnEnd();
    }

    /// <summary>Reads from the stream. Runs user code.</summary>
    /// <returns>The number of bytes; zero at the end.</returns>
    protected virtual int Read(byte[] chunk) => Source!.Read(chunk);

    /// <summary>Handles the end of the pump, on its thread.</summary>
    protected virtual void OnEnd()
    {
    }
}
