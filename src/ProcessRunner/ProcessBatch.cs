using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>
/// Runs any number of commands, a limited number at once, and yields each result as soon as it is available. A thread
/// of the engine reads the input as needed, so a million commands never occupy memory at the same time
/// (<see cref="BatchOptions.MaxWaiting"/>). Nothing runs on a ThreadPool thread except the code behind an <c>await</c>.
/// </summary>
/// <remarks>
/// A command that fails, or cannot be started, yields a result like any other. <see cref="BatchRun.StoppedBy"/> says
/// what ended a batch early. If the input or a progress report throws, or a token is cancelled, the enumeration throws
/// after it has yielded all results.
/// </remarks>
public static class ProcessBatch
{
    /// <summary>
    /// Runs commands. The results are enumerated on the calling thread, which blocks while there is none.
    /// </summary>
    /// <param name="commands">The commands to run.</param>
    /// <param name="options">How the batch runs; the defaults if null.</param>
    /// <param name="cancellationToken">
    /// Stops the batch. The enumeration yields the results that are known, then throws
    /// <see cref="OperationCanceledException"/>.
    /// </param>
    /// <exception cref="ArgumentNullException">The commands are null.</exception>
    [OverloadResolutionPriority(1)]
    public static BatchResults Run(
        IEnumerable<ProcessCommand> commands,
        BatchOptions? options = null,
        CancellationToken cancellationToken = default) =>
        Run(Items(commands), options, cancellationToken);

    /// <inheritdoc cref="Run(IEnumerable{ProcessCommand}, BatchOptions, CancellationToken)"/>
    /// <param name="items">The commands to run, and how each of them is scheduled.</param>
    /// <param name="options"/>
    /// <param name="cancellationToken"/>
    /// <exception cref="ArgumentNullException">The items are null.</exception>
    public static BatchResults Run(
        IEnumerable<BatchItem> items, BatchOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        return new BatchResults(new BatchExecution(_ => items, options ?? new BatchOptions(), cancellationToken));
    }

    /// <summary>Runs commands. The results are enumerated asynchronously.</summary>
    /// <param name="commands">The commands to run.</param>
    /// <param name="options">How the batch runs; the defaults if null.</param>
    /// <param name="cancellationToken">
    /// Stops the batch. The enumeration yields the results that are known, then throws
    /// <see cref="OperationCanceledException"/>.
    /// </param>
    /// <exception cref="ArgumentNullException">The commands are null.</exception>
    [OverloadResolutionPriority(1)]
    public static AsyncBatchResults RunAsync(
        IEnumerable<ProcessCommand> commands,
        BatchOptions? options = null,
        CancellationToken cancellationToken = default) =>
        RunAsync(Items(commands), options, cancellationToken);

    /// <inheritdoc cref="RunAsync(IEnumerable{ProcessCommand}, BatchOptions, CancellationToken)"/>
    /// <param name="items">The commands to run, and how each of them is scheduled.</param>
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
        IAsyncEnumerable<ProcessCommand> commands,
        BatchOptions? options = null,
        CancellationToken cancellationToken = default)
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
