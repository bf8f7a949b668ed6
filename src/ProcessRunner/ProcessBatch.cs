using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using ProcessRunner.Execution.Batches;
using ProcessRunner.Streams.Input;

namespace ProcessRunner;

/// <summary>
/// Runs any number of commands, a limited number at once, and yields each result as soon as it is available. A thread
/// of the engine reads the input as needed, so a million commands never occupy memory at the same time
/// (<see cref="BatchOptions.MaxWaiting"/>). Only the continuation after an <c>await</c> needs a ThreadPool thread.
/// </summary>
/// <remarks>
/// <c>Enumerate</c> and <c>EnumerateAsync</c> are lazy: the loop over the results starts the batch, and holds it back
/// if it is slow. <c>Run</c> and <c>RunAsync</c> run the whole batch and return a <see cref="BatchSummary"/>.
/// A command that fails, or cannot be started, yields a result like any other. <see cref="BatchRun.StoppedBy"/> says
/// what ended a batch early. If the input or a progress report throws, or a token is canceled, the enumeration throws
/// after it has yielded all results.
/// </remarks>
public static partial class ProcessBatch
{
    /// <summary>
    /// Runs commands while the calling thread enumerates their results. The thread blocks while there is none.
    /// </summary>
    /// <param name="commands">The commands to run.</param>
    /// <param name="options">How the batch runs; the defaults if null.</param>
    /// <param name="cancellationToken">
    /// Stops the batch. The enumeration yields the results that are known, then throws
    /// <see cref="OperationCanceledException"/>.
    /// </param>
    /// <exception cref="ArgumentNullException">The commands are null.</exception>
    [OverloadResolutionPriority(1)]
    public static BatchResults Enumerate(
        IEnumerable<ProcessCommand> commands,
        BatchOptions? options = null,
        CancellationToken cancellationToken = default) =>
        Enumerate(Items(commands), options, cancellationToken);

    /// <inheritdoc cref="Enumerate(IEnumerable{ProcessCommand}, BatchOptions, CancellationToken)"/>
    /// <param name="items">The commands to run, and how each of them is scheduled.</param>
    /// <param name="options"/>
    /// <param name="cancellationToken"/>
    /// <exception cref="ArgumentNullException">The items are null.</exception>
    public static BatchResults Enumerate(
        IEnumerable<BatchItem> items, BatchOptions? options = null, CancellationToken cancellationToken = default) =>
        new(Execution(Source(items), options, cancellationToken));

    /// <summary>Runs commands while their results are enumerated asynchronously.</summary>
    /// <param name="commands">The commands to run.</param>
    /// <param name="options">How the batch runs; the defaults if null.</param>
    /// <param name="cancellationToken">
    /// Stops the batch. The enumeration yields the results that are known, then throws
    /// <see cref="OperationCanceledException"/>.
    /// </param>
    /// <exception cref="ArgumentNullException">The commands are null.</exception>
    [OverloadResolutionPriority(1)]
    public static AsyncBatchResults EnumerateAsync(
        IEnumerable<ProcessCommand> commands,
        BatchOptions? options = null,
        CancellationToken cancellationToken = default) =>
        EnumerateAsync(Items(commands), options, cancellationToken);

    /// <inheritdoc cref="EnumerateAsync(IEnumerable{ProcessCommand}, BatchOptions, CancellationToken)"/>
    /// <param name="items">The commands to run, and how each of them is scheduled.</param>
    /// <param name="options"/>
    /// <param name="cancellationToken"/>
    /// <exception cref="ArgumentNullException">The items are null.</exception>
    public static AsyncBatchResults EnumerateAsync(
        IEnumerable<BatchItem> items, BatchOptions? options = null, CancellationToken cancellationToken = default) =>
        new(Execution(Source(items), options, cancellationToken));

    /// <inheritdoc cref="EnumerateAsync(IEnumerable{ProcessCommand}, BatchOptions, CancellationToken)"/>
    public static AsyncBatchResults EnumerateAsync(
        IAsyncEnumerable<ProcessCommand> commands,
        BatchOptions? options = null,
        CancellationToken cancellationToken = default) =>
        new(Execution(Source(commands), options, cancellationToken));

    /// <inheritdoc cref="EnumerateAsync(IEnumerable{BatchItem}, BatchOptions, CancellationToken)"/>
    public static AsyncBatchResults EnumerateAsync(
        IAsyncEnumerable<BatchItem> items,
        BatchOptions? options = null,
        CancellationToken cancellationToken = default) =>
        new(Execution(Source(items), options, cancellationToken));

    private static Func<CancellationToken, IEnumerable<BatchItem>> Source(IEnumerable<BatchItem> items)
    {
        ArgumentNullException.ThrowIfNull(items);
        return _ => items;
    }

    private static Func<CancellationToken, IEnumerable<BatchItem>> Source(IAsyncEnumerable<ProcessCommand> commands)
    {
        ArgumentNullException.ThrowIfNull(commands);
        return stop => Items(BlockingEnumeration.Of(commands, stop));
    }

    private static Func<CancellationToken, IEnumerable<BatchItem>> Source(IAsyncEnumerable<BatchItem> items)
    {
        ArgumentNullException.ThrowIfNull(items);
        return stop => BlockingEnumeration.Of(items, stop);
    }

    private static BatchExecution Execution(
        Func<CancellationToken, IEnumerable<BatchItem>> source, BatchOptions? options, CancellationToken token) =>
        new(source, options ?? new BatchOptions(), token);

    private static IEnumerable<BatchItem> Items(IEnumerable<ProcessCommand> commands)
    {
        ArgumentNullException.ThrowIfNull(commands);
        return commands.Select(command => command is null ? null! : new BatchItem(command));
    }
}
