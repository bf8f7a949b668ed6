using System;
using System.Threading.Tasks;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Execution;
using ProcessRunner.Execution.Batches;
using ProcessRunner.Faults;

namespace ProcessRunner;

/// <content>The end of an engine.</content>
public sealed partial class ProcessEngine
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Ends the threads of an engine that was not disposed, once its last child has ended.</summary>
    ~ProcessEngine()
    {
        try
        {
            if (_parts is EngineParts parts)
            {
                EngineEnd.Begin(parts, _interrupts);
            }
            else
            {
                _interrupts?.Dispose();
            }
        }
        catch (OutOfMemoryException)
        {
            // The next collection tries again.
            GC.ReRegisterForFinalize(this);
        }
    }

    /// <summary>
    /// Kills the process groups of all running children, waits for their end, and ends the threads. Detached children
    /// (<see cref="ChildProcess.Detach"/>) continue: the threads serve them to their end and then end as well. A call
    /// beside another one waits for the same.
    /// </summary>
    /// <exception cref="InvalidOperationException">
    /// The engine is <see cref="Shared"/>; or the code that answers its commands (<see cref="Simulate"/>) calls this:
    /// the engine would wait for the run, and the run for the answer.
    /// </exception>
    public void Dispose()
    {
        ThrowIfShared();
        ThrowIfAnswering();
        bool isFirst;
        EngineParts? parts;
        lock (_gate)
        {
            isFirst = !_isDisposed;
            _isDisposed = true;
            parts = _parts;
            _parts = null;
        }

        if (isFirst)
        {
            End(parts);
        }
        else
        {
            // Safe in a callback as well: the first call waits for children, whose ends wait for no callback for long.
            Uninterruptible.Do(_ended.Task, static ended => ended.Wait());
        }

        GC.SuppressFinalize(this);
    }

    /// <summary>
    /// Disposes the engine as <see cref="Dispose"/> does, on a thread of its own that completes the task. The caller
    /// does not wait, unless the system cannot provide a thread.
    /// </summary>
    /// <exception cref="InvalidOperationException">The engine is <see cref="Shared"/>.</exception>
    public ValueTask DisposeAsync()
    {
        ThrowIfShared();
        TaskCompletionSource disposed = new(TaskCreationOptions.RunContinuationsAsynchronously);
        try
        {
            OwnThread.Start("ProcessRunner dispose", () => DisposeAndTell(disposed));
        }
        catch (OutOfMemoryException)
        {
            DisposeAndTell(disposed);
        }

        GC.SuppressFinalize(this);
        return new ValueTask(disposed.Task);
    }

    private void End(EngineParts? parts)
    {
        try
        {
            _interrupts?.Dispose();
            if (parts is not null)
            {
                parts.Lives.Close();
                MemoryRetry.Do(this, static engine => engine.Tell(static batch => batch.OnEngineDispose()));
                MemoryRetry.Do(parts, static parts => StopChildren(parts));
                MemoryRetry.Do(parts, static parts => AwaitChildren(parts));
                EndThreads(parts);
            }
        }
        finally
        {
            _ended.SetResult();
        }
    }

    private void EndThreads(EngineParts parts)
    {
        if (parts.Lives.Count == 0)
        {
            parts.End(() => MemoryRetry.Do(this, static engine => engine.Tell(static batch => batch.OnEngineEnded())));
        }
        else
        {
            MemoryRetry.Do(parts, static parts => EngineEnd.Begin(parts, interrupts: null));
        }
    }

    // The action can be repeated.
    private void Tell(Action<BatchExecution> action)
    {
        BatchExecution[] batches;
        lock (_gate)
        {
            FaultPoint.AllocateManaged();
            batches = [.. _batches];
        }

        Array.ForEach(batches, action);
    }

    private static void StopChildren(EngineParts parts) =>
        Array.ForEach(LivesToEnd(parts), static child => child.Stop(StopCause.EngineDispose, TimeSpan.Zero));

    private static void AwaitChildren(EngineParts parts) =>
        Array.ForEach(
            LivesToEnd(parts),
            static child => Uninterruptible.Do(child, static child => child.Completion.Ended.Wait()));

    private static ChildLife[] LivesToEnd(EngineParts parts) =>
        Array.FindAll(parts.Lives.ToArray(), static child => !child.IsExemptFromExitKill);

    private void DisposeAndTell(TaskCompletionSource disposed)
    {
        try
        {
            Dispose();
            disposed.SetResult();
        }
        catch (Exception exception)
        {
            disposed.SetException(exception);
        }
    }

    private void ThrowIfAnswering()
    {
        if (_simulator is { IsAnswering: true })
        {
            throw new InvalidOperationException(
                "The code that answers a command cannot dispose the engine of that command: the engine would wait for "
                + "the run, and the run for the answer. Dispose the engine after the run.");
        }
    }

    private void ThrowIfShared()
    {
        if (_isShared)
        {
            throw new InvalidOperationException(
                "The shared engine lives as long as the program; make your own to dispose it.");
        }
    }
}
