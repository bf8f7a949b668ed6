namespace ProcessRunner;

/// <summary>Specifies what stopped a child.</summary>
public enum StopCause
{
    /// <summary>Nothing: the child ended without a stop.</summary>
    None,

    /// <summary><see cref="ProcessCommand.Timeout"/> or <see cref="ProcessPipeline.Timeout"/> passed.</summary>
    Timeout,

    /// <summary><see cref="ProcessCommand.IdleTimeout"/> passed without a byte on either stream.</summary>
    IdleTimeout,

    /// <summary>The output exceeded the limit of a capture with <see cref="CapturePolicy.Fail"/>.</summary>
    OutputLimit,

    /// <summary>
    /// The limit of <see cref="ProcessExecutor.Wait(System.TimeSpan)"/>, <c>WaitAll</c> or <c>WaitAllAsync</c> passed.
    /// </summary>
    WaitLimit,

    /// <summary>The caller's cancellation token was canceled.</summary>
    CancellationToken,

    /// <summary>
    /// <c>Stop</c>, <c>StopAsync</c>, <c>RequestStop</c>, <c>Kill</c> or, for a batch, <c>StopStarting</c> was called;
    /// or a loop left the enumeration of <see cref="ChildProcess.ReadLines"/>,
    /// <see cref="ChildProcess.ReadLinesAsync"/> or <see cref="ChildProcess.ReadEventsAsync"/> early.
    /// </summary>
    Request,

    /// <summary>
    /// The <see cref="ChildProcess"/>, <see cref="ProcessExecutor"/> or <see cref="RunningPipeline"/> was disposed, or
    /// a loop left the enumeration of a batch early.
    /// </summary>
    Dispose,

    /// <summary>The <see cref="ProcessEngine"/> was disposed.</summary>
    EngineDispose,

    /// <summary>
    /// A Ctrl-C arrived: the second one with <see cref="ProcessEngineOptions.ForwardInterrupt"/>, or any with
    /// <see cref="BatchOptions.StopOnInterrupt"/>.
    /// </summary>
    Interrupt,

    /// <summary><see cref="BatchOptions.Timeout"/> passed.</summary>
    BatchTimeout,

    /// <summary>Another command of the batch failed; see <see cref="BatchOptions.OnFirstFailure"/>.</summary>
    BatchFailure,

    /// <summary>
    /// This process had no memory left for the child's output or its result. The captured bytes have been dropped, and
    /// the wait throws an <see cref="System.OutOfMemoryException"/>.
    /// </summary>
    OutOfMemory,
}
