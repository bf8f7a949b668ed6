using System.Collections;
using System.Collections.Generic;
using System.Diagnostics;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>
/// Provides the results of a batch of <see cref="BatchItem{T}"/>, as <see cref="BatchResults"/> does.
/// </summary>
/// <typeparam name="T">The type of the tag.</typeparam>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class BatchResults<T> : BatchRun, IEnumerable<BatchResult<T>>
{
    internal BatchResults(BatchExecution execution)
        : base(execution)
    {
    }

    /// <inheritdoc cref="BatchResults.GetEnumerator"/>
    public IEnumerator<BatchResult<T>> GetEnumerator()
    {
        using IEnumerator<BatchResult> results = Enumerate();
        while (results.MoveNext())
        {
            yield return new BatchResult<T>(results.Current);
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
