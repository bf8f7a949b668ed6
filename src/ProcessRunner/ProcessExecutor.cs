using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <summary>
/// A named program that is run again and again, with starting and waiting apart. <see cref="Run(IEnumerable{string})"/>
/// returns once the child runs; it is drained, timed and seen to its end whether anybody waits or not, so that any
/// number of executors can run before the first is waited for, from any thread, ThreadPool threads included.
/// </summary>
/// <remarks>
/// Every member is safe from any thread. <c>_gate</c> guards which run is the current one; it is held neither during a
/// start nor during a wait, however long they take.
/// </remarks>
public sealed class ProcessExecutor : IDisposable, IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly ProcessEngine _engine;
    private ChildLife? _current;
    private bool _disposed;

    /// <summary>Initializes an executor for a program.</summary>
    /// <param name="name">A name for people.</param>
    /// <param name="fileName">A path, or a name that is looked up on PATH.</param>
    /// <param name="engine">The engine whose threads watch the children; <see cref="ProcessEngine.Shared"/> if null.</param>
    /// <exception cref="ArgumentException">One of the names is null or empty.</exception>
    public ProcessExecutor(string name, string fileName, ProcessEngine? engine = null)
        : this(name, new ProcessCommand(fileName), engine)
    {
    }

    /// <summary>Initializes an executor for a command; each run may add arguments to it.</summary>
    /// <param name="name">A name for people.</param>
    /// <param name="command">What to run, with its limits and settings.</param>
    /// <param name="engine">The engine whose threads watch the children; <see cref="ProcessEngine.Shared"/> if null.</param>
    /// <exception cref="ArgumentException">The name is null or empty, or the command is null.</exception>
    public ProcessExecutor(string name, ProcessCommand command, ProcessEngine? engine = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(command);
        Name = name;
        Command = command;
        _engine = engine ?? ProcessEngine.Shared;
    }

    /// <summary>Gets the name for people.</summary>
    public string Name { get; }

    /// <summary>Gets what every run starts from.</summary>
    public ProcessCommand Command { get; }

    /// <summary>Gets whether a child runs now.</summary>
    public bool IsRunning => Current is { HasEnded: false };

    /// <summary>Gets the result of the last run.</summary>
    /// <exception cref="InvalidOperationException">Nothing has been run yet, or the run has not ended yet.</exception>
    public ProcessResult Result =>
        Started is { HasEnded: true } ended
            ? ended.Wait()
            : throw new InvalidOperationException($"'{Name}' still runs: wait for it first.");

    private ChildLife? Current
    {
        get
        {
            lock (_gate)
            {
                return _current;
            }
        }
    }

    private ChildLife Started =>
        Current ?? throw new InvalidOperationException($"'{Name}' has not been run yet: call Run first.");

    /// <summary>Waits for many executors from one thread. At the limit the children that still run are killed.</summary>
    /// <param name="executors">Executors that have been run; their order does not matter.</param>
    /// <param name="limit">For all of them together; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <returns>True if all ended within the limit. All have ended when it returns.</returns>
    /// <exception cref="ArgumentNullException">The list or one of its items is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The limit is negative.</exception>
    /// <exception cref="InvalidOperationException">One of them has not been run yet.</exception>
    /// <exception cref="Exception">What a callback, a stream or an input of the caller's threw; all have ended by then.</exception>
    public static bool WaitAll(IEnumerable<ProcessExecutor> executors, TimeSpan limit)
    {
        ArgumentNullException.ThrowIfNull(executors);
        TimeLimit.Validated(limit, nameof(limit));
        ChildLife[] children = executors
            .Select(executor => executor?.Started ?? throw new ArgumentNullException(nameof(executors)))
            .ToArray();
        long end = limit < TimeSpan.Zero ? MonotonicClock.Never : MonotonicClock.After(MonotonicClock.Now, limit);
        bool allInTime = Array.TrueForAll(children, child => child.TryWait(MonotonicClock.Until(end)));
        if (!allInTime)
        {
            Array.ForEach(children, child => child.Stop(StopCause.WaitLimit, TimeSpan.Zero));
            Array.ForEach(children, child => child.AwaitEnd());
        }

        Array.ForEach(children, child => child.Wait());
        return allInTime;
    }

    /// <summary>Starts the program on the calling thread and returns once it runs.</summary>
    /// <param name="arguments">Arguments behind those of <see cref="Command"/>.</param>
    /// <exception cref="InvalidOperationException">
    /// The last run has not ended yet; there is a <see cref="ProcessCommand.IdleTimeout"/> but silence could not be told; or a
    /// stream is <see cref="InputSource.Pipe"/> or <see cref="OutputTarget.Live"/>, which takes <see cref="ProcessCommand.Start"/>.
    /// </exception>
    /// <exception cref="ArgumentException">An argument is null or holds a NUL character.</exception>
    /// <exception cref="ProcessStartException">The program could not be started; the executor can be run again.</exception>
    /// <exception cref="ObjectDisposedException">The executor or its engine has been disposed.</exception>
    /// <exception cref="PlatformNotSupportedException">This system is not supported.</exception>
    public void Run(params IEnumerable<string> arguments)
    {
        ProcessCommand command = Command.WithArguments(arguments);
        ThrowUnlessFree();
        EngineParts parts = _engine.Prepare(command);
        ChildLife run = Begin(command, parts, out ChildLife? before);
        try
        {
            run.Start();
        }
        catch
        {
            // What was known of the last run is still true.
            Interlocked.CompareExchange(ref _current, before, run);
            throw;
        }
    }

    /// <summary>Starts the program and waits for its end. Cancelling stops the child.</summary>
    /// <param name="arguments">Arguments behind those of <see cref="Command"/>.</param>
    /// <param name="cancellationToken">
    /// Stops the child, or a start that is still tried again; the task ends once the child is gone.
    /// </param>
    /// <returns>A task that needs no ThreadPool thread to complete. It tells of a failed start as well.</returns>
    /// <exception cref="OperationCanceledException">
    /// By the task: the token was cancelled; <see cref="ProcessResult.Of(Exception)"/> has what the child had written.
    /// </exception>
    /// <inheritdoc cref="Run(IEnumerable{string})"/>
    public Task<ProcessResult> RunAsync(IEnumerable<string> arguments, CancellationToken cancellationToken = default)
    {
        ProcessCommand command = Command.WithArguments(arguments);
        ThrowUnlessFree();
        return _engine.RunAsync(command, parts => Begin(command, parts, out _), cancellationToken);
    }

    /// <summary>Waits until the child has ended and all its output has been read.</summary>
    /// <returns>The same as <see cref="Result"/>.</returns>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>), which it may notice a second later; the child runs on.
    /// </exception>
    /// <exception cref="InvalidOperationException">Nothing has been run yet.</exception>
    public ProcessResult Wait() => Started.Wait();

    /// <summary>
    /// Waits for the end, but not longer than a limit: then the child's process group is killed, what it had written is
    /// kept, and <see cref="Result"/> says <see cref="ProcessOutcome.TimedOut"/>.
    /// </summary>
    /// <param name="limit">Zero kills at once; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <returns>False if the limit passed. The child has ended in either case.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The limit is negative.</exception>
    /// <exception cref="InvalidOperationException">Nothing has been run yet.</exception>
    public bool Wait(TimeSpan limit)
    {
        TimeLimit.Validated(limit, nameof(limit));
        ChildLife child = Started;
        bool isInTime = child.TryWait(limit);
        if (!isInTime)
        {
            child.Stop(StopCause.WaitLimit, TimeSpan.Zero);
        }

        child.Wait();
        return isInTime;
    }

    /// <summary>Waits for the end. Cancelling stops the child.</summary>
    /// <param name="cancellationToken">Stops the child; the task ends once it is gone.</param>
    /// <exception cref="InvalidOperationException">Nothing has been run yet.</exception>
    /// <exception cref="OperationCanceledException">
    /// The token was cancelled; <see cref="ProcessResult.Of(Exception)"/> has what the child had written.
    /// </exception>
    public Task<ProcessResult> WaitAsync(CancellationToken cancellationToken = default) =>
        Started.WaitOrStopAsync(cancellationToken);

    /// <summary>
    /// Stops the child if it runs, by the command's stop signal and grace. Does not wait: the pending <c>Wait</c> returns.
    /// </summary>
    public void Cancel() => Current?.Stop(StopCause.Request, Command.StopGrace);

    /// <summary>Stops the child if it runs, by the command's stop signal and grace, and waits until it is gone.</summary>
    public void Dispose() => StopForDispose()?.AwaitEnd();

    /// <summary>Does what <see cref="Dispose"/> does; no thread waits meanwhile.</summary>
    public ValueTask DisposeAsync() =>
        StopForDispose() is ChildLife run ? new ValueTask(run.Completion.Ended) : ValueTask.CompletedTask;

    private ChildLife? StopForDispose()
    {
        ChildLife? run;
        lock (_gate)
        {
            _disposed = true;
            run = _current;
        }

        run?.Stop(StopCause.Dispose, Command.StopGrace);
        return run;
    }

    // Makes the current run, which is to be started once the gate is free.
    private ChildLife Begin(ProcessCommand command, EngineParts parts, out ChildLife? before)
    {
        lock (_gate)
        {
            ThrowUnlessFree();
            before = _current;
            return _current = ChildLife.Create(new StartOrder(command), parts);
        }
    }

    private void ThrowUnlessFree()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            if (_current is { HasEnded: false })
            {
                throw new InvalidOperationException($"'{Name}' still runs: one executor runs one child at a time.");
            }
        }
    }
}
