using System.Collections.Generic;
using System.Threading;

namespace ProcessRunner;

/// <content>The calls for items with a tag of the caller's type.</content>
public static partial class ProcessBatch
{
    /// <inheritdoc cref="Enumerate(IEnumerable{BatchItem}, BatchOptions, CancellationToken)"/>
    /// <typeparam name="T">The type of the tags.</typeparam>
    public static BatchResults<T> Enumerate<T>(
        IEnumerable<BatchItem<T>> items,
        BatchOptions? options = null,
        CancellationToken cancellationToken = default) =>
        new(Execution(Source(items), options, cancellationToken));

    /// <inheritdoc cref="EnumerateAsync(IEnumerable{BatchItem}, BatchOptions, CancellationToken)"/>
    /// <typeparam name="T">The type of the tags.</typeparam>
    public static AsyncBatchResults<T> EnumerateAsync<T>(
        IEnumerable<BatchItem<T>> items,
        BatchOptions? options = null,
        CancellationToken cancellationToken = default) =>
        new(Execution(Source(items), options, cancellationToken));

    /// <inheritdoc cref="EnumerateAsync(IEnumerable{BatchItem}, BatchOptions, CancellationToken)"/>
    /// <typeparam name="T">The type of the tags.</typeparam>
    public static AsyncBatchResults<T> EnumerateAsync<T>(
        IAsyncEnumerable<BatchItem<T>> items,
        BatchOptions? options = null,
        CancellationToken cancellationToken = default) =>
        new(Execution(Source(items), options, cancellationToken));
}
