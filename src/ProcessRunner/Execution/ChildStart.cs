using System;
using System.ComponentModel;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Faults;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Execution;

/// <summary>
/// The start of one run: attempts, and the pauses between them where the system is short of something for a moment.
/// </summary>
/// <remarks>
/// <para>States: not begun; attempting; pausing; decided, when there is a child or there will be none. The first attempt is
/// made by the thread that asks for the start, those that follow by a timer of a reactor: no thread waits for them, unless
/// its caller is to block.</para>
/// <para>All fields are guarded by the child's gate. An attempt is made without it, since it can take as long as a file
/// system does: the limits of the run, a stop and the end of the engine reach it all the same.</para>
/// </remarks>
internal sealed class ChildStart(ChildLife life, int firstAttempt, bool isTriedOnce)
{
    private Action? _whenDecided;
    private Retry? _retry;
    private long _time;

    /// <summary>Whether there is a life.Child, or there will be none.</summary>
    public bool IsDecided { get; private set; }

    /// <summary>Why the last attempt has failed, during the pause behind it; else null.</summary>
    public ExceptionDispatchInfo? PauseAfter => _retry?.PauseAfter;

    /// <summary>Whether the first attempt has begun.</summary>
    public bool HasBegun => Attempts >= firstAttempt;

    /// <summary>How many attempts have been made.</summary>
    public int Attempts { get; private set; } = firstAttempt - 1;

    /// <summary>When the last attempt began, in universal time.</summary>
    public DateTimeOffset Time => new(_time, TimeSpan.Zero);

    /// <summary>The instant at which the last attempt began.</summary>
    public long Instant { get; private set; }

    /// <summary>
    /// Tries to start the child on the calling thread. If the start is not decided then, a reactor tries again. Called
    /// without the gate, once.
    /// </summary>
    public void Attempt()
    {
        using (Uninterruptible.Lock(life.Child))
        {
            if (IsDecided)
            {
                return;
            }

            EndPause();
            Attempts++;
            _time = DateTimeOffset.UtcNow.UtcTicks;
            Instant = MonotonicClock.Now;
            life.OnAttempt();
        }

        Exception? failure = null;
        try
        {
            life.Child.Start();
        }
        catch (OutOfMemoryException)
        {
            failure = life.Engine.Backend.OutOfResources(life.Command);
        }
        catch (Exception exception)
        {
            failure = exception;
        }

        using (Uninterruptible.Lock(life.Child))
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

    /// <summary>Does the same, but on a delivery thread if the start can block.</summary>
    public void AttemptAsync()
    {
        if (!life.Command.OpensFiles)
        {
            Attempt();
            return;
        }

        try
        {
            life.Engine.Streams.Threads.Post(new DeliveryJob(Attempt));
        }
        catch (OutOfMemoryException exception)
        {
            life.GiveUp(exception);
        }
    }

    /// <summary>Has something done once the start is decided, on whichever thread decides it, with no lock held.</summary>
    /// <returns>False if it is decided already: nothing will be done.</returns>
    public bool TryWhenDecided(Action action)
    {
        using (Uninterruptible.Lock(life.Child))
        {
            _whenDecided = IsDecided ? null : action;
            return !IsDecided;
        }
    }

    /// <summary>Blocks the calling thread until the start is decided.</summary>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted; the start was given up.</exception>
    /// <exception cref="OutOfMemoryException">There was no memory to wait; the start was given up.</exception>
    public void BlockUntilDecided()
    {
        if (IsDecided)
        {
            return;
        }

        try
        {
            FaultPoint.Allocate("managed memory");
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

    /// <summary>There is a child now, or there will be none. With the gate held.</summary>
    public void Decide()
    {
        IsDecided = true;
        EndPause();
        _retry?.Timer.Dispose();
    }

    /// <summary>Does what was to be done once the start is decided, if it is. Called without the gate, wherever it may be.</summary>
    public void TellDecided()
    {
        if (_whenDecided is not null && IsDecided)
        {
            Interlocked.Exchange(ref _whenDecided, null)?.Invoke();
        }
    }

    private void Begin()
    {
        try
        {
            life.OnStarted();
        }
        catch (Win32Exception exception)
        {
            life.OnStartFailed(new ProcessStartException(
                life.Command, exception.NativeErrorCode, ProcessStartStep.OutOfResources, "the kernel cannot watch it"));
        }
        catch (OutOfMemoryException)
        {
            life.OnStartFailed(life.Engine.Backend.OutOfResources(life.Command));
        }
        catch (Exception exception)
        {
            life.OnStartFailed(exception);
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
        if (isTriedOnce
            || failure is not ProcessStartException { IsTransient: true }
            || failures == StartRetry.MostAttempts)
        {
            return false;
        }

        try
        {
            _retry ??= new Retry(life.Engine.Backend.CreateTimer(_ => Attempt()));
            _retry.PauseAfter = ExceptionDispatchInfo.Capture(failure);
            _retry.Timer.Set(MonotonicClock.After(MonotonicClock.Now, StartRetry.PauseAfter(failures)));
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    /// <summary>Made for the first pause; most starts have none.</summary>
    private sealed class Retry(BackendTimer timer)
    {
        public BackendTimer Timer => timer;

        /// <summary>Why the last attempt has failed, during the pause behind it; else null.</summary>
        public ExceptionDispatchInfo? PauseAfter { get; set; }
    }
}
