namespace ProcessRunner;

/// <summary>Tells who stopped a child, and why.</summary>
public enum StopCause
{
    /// <summary>Nobody: the child ended without being asked to.</summary>
    None,

    /// <summary><see cref="ProcessCommand.Timeout"/> passed.</summary>
    Timeout,

    /// <summary><see cref="ProcessCommand.IdleTimeout"/> passed without a byte on either stream.</summary>
    IdleTimeout,

    /// <summary>The limit of a capture with <see cref="CapturePolicy.Fail"/> was exceeded.</summary>
    OutputLimit,

    /// <summary>The limit of <see cref="ProcessExecutor.Wait(System.TimeSpan)"/> or <c>WaitAll</c> passed.</summary>
    WaitLimit,

    /// <summary>The caller's cancellation token was cancelled.</summary>
    CancellationToken,

    /// <summary><c>Cancel</c>, <c>Stop</c> or <c>Kill</c> was called.</summary>
    Request,

    /// <summary>
    /// The <see cref="ChildProcess"/> or <see cref="ProcessExecutor"/> was disposed, or the enumeration of a batch was left.
    /// </summary>
    Dispose,

    /// <summary>The <see cref="ProcessEngine"/> was disposed.</summary>
    EngineDispose,

    /// <summary>
    /// A Ctrl-C came: the second one under <see cref="ProcessEngineOptions.ForwardInterrupt"/>, or one under
    /// <see cref="BatchOptions.StopOnInterrupt"/>.
    /// </summary>
    Interrupt,

    /// <summary><see cref="BatchOptions.Timeout"/> passed.</summary>
    BatchTimeout,

    /// <summary>Another command of the batch failed; see <see cref="BatchOptions.OnFirstFailure"/>.</summary>
    BatchFailure,

    /// <summary>
    /// This process had no memory left for what the child wrote, or for its result. What was captured has been let go, and the
    /// wait throws an <see cref="System.OutOfMemoryException"/>.
    /// </summary>
    OutOfMemory,
}
