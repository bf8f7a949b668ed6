using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <content>The calls that run a whole batch.</content>
public static partial class ProcessBatch
{
    /// <summary>
    /// Runs all commands on the calling thread, which blocks until the last one has ended. The summary holds every
    /// result: use <see cref="Enumerate(IEnumerable{ProcessCommand}, BatchOptions, CancellationToken)"/> for more
    /// results than memory can hold.
    /// </summary>
    /// <param name="commands">The commands to run.</param>
    /// <param name="options">How the batch runs; the defaults if null.</param>
    /// <param name="cancellationToken">Stops the batch.</param>
    /// <returns>The summary, with all results.</returns>
    /// <exception cref="ArgumentNullException">The commands are null.</exception>
    /// <exception cref="OperationCanceledException">
    /// The token was canceled. <see cref="BatchSummary.Of"/> returns what had been done by then.
    /// </exception>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>). The batch has been stopped.
    /// </exception>
    /// <exception cref="ProcessStartException">The threads of the engine cannot be created.</exception>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    /// <exception cref="PlatformNotSupportedException">
    /// The engine requires a native backend (<see cref="EngineBackend.Native"/>), and this system has none.
    /// </exception>
    /// <exception cref="Exception">
    /// The input or a progress report threw this exception. <see cref="BatchSummary.Of"/> returns the rest.
    /// </exception>
    [OverloadResolutionPriority(1)]
    public static BatchSummary Run(
        IEnumerable<ProcessCommand> commands,
        BatchOptions? options = null,
        CancellationToken cancellationToken = default) =>
        Run(Items(commands), options, cancellationToken);

    /// <inheritdoc cref="Run(IEnumerable{ProcessCommand}, BatchOptions, CancellationToken)"/>
    /// <param name="items">The commands to run, and how each of them is scheduled.</param>
    /// <param name="options"/>
    /// <param name="cancellationToken"/>
    /// <exception cref="ArgumentNullException">The items are null.</exception>
    public static BatchSummary Run(
        IEnumerable<BatchItem> items, BatchOptions? options = null, CancellationToken cancellationToken = default) =>
        WholeBatch.Run(Source(items), options, cancellationToken);

    /// <summary>
    /// Runs all commands without a thread that waits. The summary holds every result: use
    /// <see cref="EnumerateAsync(IEnumerable{ProcessCommand}, BatchOptions, CancellationToken)"/> for more results than
    /// memory can hold.
    /// </summary>
    /// <param name="commands">The commands to run.</param>
    /// <param name="options">How the batch runs; the defaults if null.</param>
    /// <param name="cancellationToken">Stops the batch. The task completes once it has ended.</param>
    /// <returns>
    /// A task that needs no ThreadPool thread to complete, so it is safe to block on it. It reports every failure; only
    /// null commands throw at once.
    /// </returns>
    /// <exception cref="ArgumentNullException">The commands are null.</exception>
    /// <exception cref="OperationCanceledException">
    /// In the task: the token was canceled. <see cref="BatchSummary.Of"/> returns what had been done by then.
    /// </exception>
    /// <exception cref="ProcessStartException">In the task: the threads of the engine cannot be created.</exception>
    /// <exception cref="ObjectDisposedException">In the task: the engine has been disposed.</exception>
    /// <exception cref="PlatformNotSupportedException">
    /// In the task: the engine requires a native backend (<see cref="EngineBackend.Native"/>), and this system has
    /// none.
    /// </exception>
    /// <exception cref="Exception">
    /// In the task: the input or a progress report threw this exception. <see cref="BatchSummary.Of"/> returns the
    /// rest.
    /// </exception>
    [OverloadResolutionPriority(1)]
    public static Task<BatchSummary> RunAsync(
        IEnumerable<ProcessCommand> commands,
        BatchOptions? options = null,
        CancellationToken cancellationToken = default) =>
        RunAsync(Items(commands), options, cancellationToken);

    /// <inheritdoc cref="RunAsync(IEnumerable{ProcessCommand}, BatchOptions, CancellationToken)"/>
    /// <param name="items">The commands to run, and how each of them is scheduled.</param>
    /// <param name="options"/>
    /// <param name="cancellationToken"/>
    /// <exception cref="ArgumentNullException">The items are null.</exception>
    public static Task<BatchSummary> RunAsync(
        IEnumerable<BatchItem> items, BatchOptions? options = null, CancellationToken cancellationToken = default) =>
        WholeBatch.RunAsync(Source(items), options, cancellationToken);

    /// <inheritdoc cref="RunAsync(IEnumerable{ProcessCommand}, BatchOptions, CancellationToken)"/>
    public static Task<BatchSummary> RunAsync(
        IAsyncEnumerable<ProcessCommand> commands,
        BatchOptions? options = null,
        CancellationToken cancellationToken = default) =>
        WholeBatch.RunAsync(Source(commands), options, cancellationToken);

    /// <inheritdoc cref="RunAsync(IEnumerable{BatchItem}, BatchOptions, CancellationToken)"/>
    public static Task<BatchSummary> RunAsync(
        IAsyncEnumerable<BatchItem> items,
        BatchOptions? options = null,
        CancellationToken cancellationToken = default) =>
        WholeBatch.RunAsync(Source(items), options, cancellationToken);
}
