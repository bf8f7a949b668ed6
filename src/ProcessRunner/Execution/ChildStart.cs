using System;
using System.ComponentModel;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Execution;

/// <summary>
/// Represents the start of one run: the attempts, and the pauses between them while the system briefly lacks a
/// resource.
/// </summary>
/// <remarks>
/// <para>States: not begun; attempting; pausing; decided (the child exists, or never will). The thread that requests
/// the start makes the first attempt. A reactor's timer makes the others, or hands them to a delivery thread if they
/// can block: no thread waits for them, unless the caller is to block. An attempt that gets no thread fails.</para>
/// <para>The child's gate guards all fields. An attempt does not hold it, because the attempt can take as long as a
/// file system does. The limits of the run, a stop and the end of the engine reach it nevertheless.</para>
/// </remarks>
internal sealed class ChildStart(ChildLife life, int firstAttempt, bool isTriedOnce)
{
    private Action? _whenDecided;
    private Retry? _retry;
    private long _time;

    /// <summary>Gets whether the child exists or never will.</summary>
    public bool IsDecided { get; private set; }

    /// <summary>Gets the failure of the last attempt during the pause that follows it; otherwise null.</summary>
    public ExceptionDispatchInfo? PauseAfter => _retry?.PauseAfter;

    /// <summary>Returns whether a batch makes another attempt, with another run, after a failure.</summary>
    public bool IsRepeatedAfter(Exception failure) => isTriedOnce && StartRetry.Follows(failure, Attempts);

    /// <summary>Gets whether the first attempt has begun.</summary>
    public bool HasBegun => Attempts >= firstAttempt;

    /// <summary>Gets the number of attempts so far.</summary>
    public int Attempts { get; private set; } = firstAttempt - 1;

    /// <summary>Gets the time at which the last attempt began, in UTC.</summary>
    public DateTimeOffset Time => new(_time, TimeSpan.Zero);

    /// <summary>Gets the instant at which the last attempt began.</summary>
    public long Instant { get; private set; }

    /// <summary>Gets the instant at which the first attempt began, or 0 before it.</summary>
    public long FirstInstant => _retry?.FirstInstant ?? Instant;

    /// <summary>
    /// Attempts to start the child on the calling thread. If this does not decide the start, a reactor makes the next
    /// attempt. Called once, without the gate.
    /// </summary>
    public void Attempt()
    {
        if (!TryBeginAttempt())
        {
            TellDecided();
            return;
        }

        Exception? failure = null;
        try
        {
            life.OpenStreams();
            life.Child.Start();
        }
        catch (LaunchException exception)
        {
            failure = Failure(exception);
        }
        catch (OutOfMemoryException)
        {
            failure = OutOfResources();
        }
        catch (Exception exception)
        {
            failure = exception;
        }

        if (failure is not null)
        {
            life.CloseStreams();
        }

        EndAttempt(failure);
    }

    /// <summary>
    /// Makes the first attempt like <see cref="Attempt"/>, but on a delivery thread if the start can block.
    /// </summary>
    public void AttemptAsync()
    {
        if (!life.Command.OpensFiles)
        {
            Attempt();
        }
        else if (PostAttempt(((IStreamOwner)life).Context) is OutOfMemoryException failure)
        {
            life.GiveUp(failure);
        }
    }

    /// <summary>
    /// Runs an action once the start is decided, on the thread that decides it and with no lock held.
    /// </summary>
    /// <returns>False if the start is already decided; the action does not run.</returns>
    public bool TryWhenDecided(Action action)
    {
        using (Uninterruptible.Lock(life.Child.Gate))
        {
            _whenDecided = IsDecided ? null : action;
            return !IsDecided;
        }
    }

    /// <summary>Blocks the calling thread until the start is decided.</summary>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted; the start was abandoned.</exception>
    /// <exception cref="OutOfMemoryException">There was no memory for the wait; the start was abandoned.</exception>
    public void BlockUntilDecided()
    {
        if (HasOutcome())
        {
            return;
        }

        try
        {
            FaultPoint.AllocateManaged();
            TaskCompletionSource decided = new(TaskCreationOptions.RunContinuationsAsynchronously);
            if (TryWhenDecided(decided.SetResult))
            {
                BlockingWait.For(decided.Task);
            }
        }
        catch (Exception exception) when (exception is ThreadInterruptedException or OutOfMemoryException)
        {
            life.Stop(StopCause.Dispose, TimeSpan.Zero);
            Uninterruptible.Do(life, static life => life.AwaitEnd());
            throw;
        }
    }

    /// <summary>Marks the start as decided: the child exists, or never will. Requires the gate.</summary>
    public void Decide()
    {
        life.Child.AssertGate();
        IsDecided = true;
        EndPause();
        _retry?.Timer.Dispose();
    }

    /// <summary>
    /// Runs the action that waits for the decision, if the start is decided. Must be called without the gate.
    /// </summary>
    public void TellDecided()
    {
        if (_whenDecided is not null && HasOutcome())
        {
            Interlocked.Exchange(ref _whenDecided, null)?.Invoke();
        }
    }

    // The decision and its outcome are made in one hold of the gate.
    private bool HasOutcome()
    {
        using (Uninterruptible.Lock(life.Child.Gate))
        {
            return IsDecided;
        }
    }

    private bool TryBeginAttempt()
    {
        using (Uninterruptible.Lock(life.Child.Gate))
        {
            if (!IsDecided && !HasBegun && life.IsCalledOff)
            {
                life.OnCalledOff();
            }

            if (!IsDecided)
            {
                EndPause();
                _time = Surroundings.UtcNow.UtcTicks;
                Instant = MonotonicClock.Now;
                Attempts++;
                life.OnAttempt();
            }

            return !IsDecided;
        }
    }

    private void EndAttempt(Exception? failure)
    {
        using (Uninterruptible.Lock(life.Child.Gate))
        {
            if (failure is null)
            {
                Begin();
            }
            else if (life.IsStopped || !TryPauseAfter(failure))
            {
                life.OnStartFailed(failure);
            }
        }

        TellDecided();
    }

    // A start does not wait until user code returns a thread: the user code may wait for the start.
    private void FailForLackOfThreads()
    {
        if (TryBeginAttempt())
        {
            EndAttempt(OutOfResources());
        }
        else
        {
            TellDecided();
        }
    }

    // Called on a timer's thread. To open a file can block, and so can any start of some backends. Everything else is
    // attempted there, because a system that lacks threads may have none for a delivery, either.
    private void AttemptAgain()
    {
        if (!life.Command.OpensFiles && life.Engine.Backend.Capabilities.StartsOnTimers)
        {
            Attempt();
        }
        else if (PostAttempt(_retry!.Context) is not null)
        {
            using (Uninterruptible.Lock(life.Child.Gate))
            {
                if (!IsDecided)
                {
                    _retry.Timer.Set(MonotonicClock.In(MemoryRetry.Pause));
                }
            }
        }
    }

    // Returns the lack of memory that has prevented it. A simulated start calls user code.
    private OutOfMemoryException? PostAttempt(ExecutionContext? context)
    {
        try
        {
            FaultPoint.AllocateManaged();
            life.Engine.Streams.Threads.Post(new DeliveryJob(Attempt, context, FailForLackOfThreads));
            return null;
        }
        catch (OutOfMemoryException exception)
        {
            return exception;
        }
    }

    private void Begin()
    {
        try
        {
            life.OnStarted();
        }
        catch (Exception exception)
        {
            life.CloseStreams();
            life.OnStartFailed(exception switch
            {
                Win32Exception unwatched => new ProcessStartException(
                    life.Command,
                    unwatched.NativeErrorCode,
                    ProcessStartStep.OutOfResources,
                    "the kernel cannot watch it"),
                OutOfMemoryException => OutOfResources(),
                _ => exception,
            });
        }
    }

    private Exception OutOfResources()
    {
        try
        {
            return Failure(life.Engine.Backend.OutOfResources());
        }
        catch (OutOfMemoryException exception)
        {
            return exception;
        }
    }

    // A start must be decided, even if there is no memory to say why it has failed.
    private Exception Failure(LaunchException cause)
    {
        try
        {
            FaultPoint.AllocateManaged();
            return new ProcessStartException(life.Command, cause);
        }
        catch (OutOfMemoryException exception)
        {
            return exception;
        }
    }

    private void EndPause()
    {
        if (_retry is not null)
        {
            _retry.PauseAfter = null;
        }
    }

    private bool TryPauseAfter(Exception failure)
    {
        int failures = Attempts - firstAttempt + 1;
        if (isTriedOnce || !StartRetry.Follows(failure, failures))
        {
            return false;
        }

        try
        {
            _retry ??= new Retry(
                life.Engine.Backend.CreateTimer(_ => AttemptAgain()), Instant, ((IStreamOwner)life).Context);
            _retry.PauseAfter = ExceptionDispatchInfo.Capture(failure);
            _retry.Timer.Set(MonotonicClock.In(StartRetry.PauseAfter(failures)));
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    /// <summary>Holds the state of the retries. Created for the first pause, because most starts have none.</summary>
    private sealed class Retry(BackendTimer timer, long firstInstant, ExecutionContext? context)
    {
        /// <summary>Gets the context of the caller, in which the first attempt was made.</summary>
        public ExecutionContext? Context => context;

        public long FirstInstant => firstInstant;

        public BackendTimer Timer => timer;

        /// <summary>
        /// Gets or sets the failure of the last attempt during the pause that follows it; otherwise null.
        /// </summary>
        public ExceptionDispatchInfo? PauseAfter { get; set; }
    }
}
