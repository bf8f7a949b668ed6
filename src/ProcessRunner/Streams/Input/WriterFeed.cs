using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Streams.Input;

/// <summary>
/// Provides input that a function of the user writes on a delivery thread. The input ends when the function does. Its
/// token is canceled once the child no longer reads, and if that is so before the function begins, it is not called.
/// </summary>
/// <remarks>One delivery thread runs the function, and another one may cancel its token.</remarks>
internal sealed class WriterFeed : QueueFeed
{
    private readonly IDeliveryThreads _threads;
    private readonly AwaitedCalls<ChildInputStream> _write;
    private readonly Action? _unused;
    private readonly DeliveryJob _run;
    private readonly DeliveryJob _callOff;
    private volatile ExceptionDispatchInfo? _failure;
    private volatile bool _isAbandonedEarly;

    /// <param name="run">The run.</param>
    /// <param name="write">The function.</param>
    /// <param name="unused">The action in place of a function that is not called, or null.</param>
    public WriterFeed(
        RunStreams run, Func<ChildInputStream, CancellationToken, ValueTask> write, Action? unused = null)
        : base(run.Child)
    {
        _threads = run.Services.Threads;
        _write = new AwaitedCalls<ChildInputStream>(write);
        _unused = unused;
        _run = new DeliveryJob(Run, run.Context);
        _callOff = new DeliveryJob(_write.CallOff, run.Context);
    }

    public override ExceptionDispatchInfo? Failure => _failure;

    public override void Start() => _threads.Post(_run);

    // Canceling a token may run user code, which must not run on this thread.
    public override void Abandon()
    {
        base.Abandon();
        if (!IsClosed)
        {
            _isAbandonedEarly = true;
            _threads.Post(_callOff);
        }
    }

    [SuppressMessage("Reliability", "CA2000", Justification = "The feed is completed in any case.")]
    private void Run()
    {
        if (IsAbandoned)
        {
            _unused?.Invoke();
            return;
        }

        try
        {
            _write.Invoke(new ChildInputStream(this));
        }
        catch (OperationCanceledException) when (_isAbandonedEarly)
        {
            // A child that stops reading early is no error.
        }
        catch (Exception exception)
        {
            _failure = ExceptionDispatchInfo.Capture(exception);
        }

        Complete();
    }
}
