using System;
using System.IO;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams.Input;

/// <summary>Provides input that a delivery thread reads from a stream of the user.</summary>
internal class StreamPump : QueueFeed
{
    private const int ChunkSize = 64 * 1024;

    private readonly IDeliveryThreads _threads;
    private readonly DeliveryJob _pump;
    private volatile ExceptionDispatchInfo? _failure;

    public StreamPump(RunStreams run, Stream? stream)
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
            while (!IsAbandoned && (count = Source!.Read(chunk)) > 0 && Write(chunk.AsSpan(0, count)))
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

    /// <summary>Handles the end of the pump, on its thread.</summary>
    protected virtual void OnEnd()
    {
    }
}
