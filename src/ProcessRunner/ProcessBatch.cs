using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>
/// Runs any number of commands, so many at once, and yields each result as soon as it is there. The input is read as it is
/// needed, on a thread of the engine, so a million commands never sit in memory (<see cref="BatchOptions.MaxWaiting"/>). No ThreadPool thread has a part in it
/// but for the code behind an <c>await</c>.
/// </summary>
/// <remarks>
/// A command that fails, or cannot be started, is a result as any other. What ends a batch early is told by
/// <see cref="BatchRun.StoppedBy"/>; what the input, a progress report or a cancelled token throws, the enumeration throws
/// once all results have been yielded.
/// </remarks>
public static class ProcessBatch
{
    /// <summary>Runs commands; the results are enumerated on the calling thread, which blocks while there is none.</summary>
    /// <param name="commands">What to run.</param>
    /// <param name="options">How; the defaults if null.</param>
    /// <param name="cancellationToken">
    /// Stops the batch: the results that are known come first, then an <see cref="OperationCanceledException"/>.
    /// </param>
    /// <exception cref="ArgumentNullException">The commands are null.</exception>
    public static BatchResults Run(
        IEnumerable<ProcessCommand> commands, BatchOptions? options = null, CancellationToken cancellationToken = default) =>
        Run(Items(commands), options, cancellationToken);

    /// <inheritdoc cref="Run(IEnumerable{ProcessCommand}, BatchOptions, CancellationToken)"/>
    /// <param name="items">What to run, and how each of them is scheduled.</param>
    /// <param name="options"/>
    /// <param name="cancellationToken"/>
    /// <exception cref="ArgumentNullException">The items are null.</exception>
    public static BatchResults Run(
        IEnumerable<BatchItem> items, BatchOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        return new BatchResults(new BatchExecution(_ => items, options ?? new BatchOptions(), cancellationToken));
    }

    /// <summary>Runs commands; the results are enumerated asynchronously.</summary>
    /// <param name="commands">What to run.</param>
    /// <param name="options">How; the defaults if null.</param>
    /// <param name="cancellationToken">
    /// Stops the batch: the results that are known come first, then an <see cref="OperationCanceledException"/>.
    /// </param>
    /// <exception cref="ArgumentNullException">The commands are null.</exception>
    public static AsyncBatchResults RunAsync(
        IEnumerable<ProcessCommand> commands, BatchOptions? options = null, CancellationToken cancellationToken = default) =>
        RunAsync(Items(commands), options, cancellationToken);

    /// <inheritdoc cref="RunAsync(IEnumerable{ProcessCommand}, BatchOptions, CancellationToken)"/>
    /// <param name="items">What to run, and how each of them is scheduled.</param>
    /// <param name="options"/>
    /// <param name="cancellationToken"/>
    /// <exception cref="ArgumentNullException">The items are null.</exception>
    public static AsyncBatchResults RunAsync(
        IEnumerable<BatchItem> items, BatchOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        return new AsyncBatchResults(new BatchExecution(_ => items, options ?? new BatchOptions(), cancellationToken));
    }

    /// <inheritdoc cref="RunAsync(IEnumerable{ProcessCommand}, BatchOptions, CancellationToken)"/>
    public static AsyncBatchResults RunAsync(
        IAsyncEnumerable<ProcessCommand> commands, BatchOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(commands);
        return new AsyncBatchResults(new BatchExecution(
            stop => Items(BlockingEnumeration.Of(commands, stop)), options ?? new BatchOptions(), cancellationToken));
    }

    /// <inheritdoc cref="RunAsync(IEnumerable{BatchItem}, BatchOptions, CancellationToken)"/>
    public static AsyncBatchResults RunAsync(
        IAsyncEnumerable<BatchItem> items, BatchOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        return new AsyncBatchResults(new BatchExecution(
            stop => BlockingEnumeration.Of(items, stop), options ?? new BatchOptions(), cancellationToken));
    }

    private static IEnumerable<BatchItem> Items(IEnumerable<ProcessCommand> commands)
    {
        ArgumentNullException.ThrowIfNull(commands);
        return commands.Select(command => command is null ? null! : new BatchItem(command));
    }
}
