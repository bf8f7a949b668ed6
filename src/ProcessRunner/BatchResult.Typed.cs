using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace ProcessRunner;

/// <summary>
/// Represents the result of one <see cref="BatchItem{T}"/> of a batch. Immutable and safe to read from any thread.
/// </summary>
/// <typeparam name="T">The type of the tag.</typeparam>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class BatchResult<T> : BatchResult
{
    [SetsRequiredMembers]
    internal BatchResult(BatchResult result)
    {
        Item = result.Item;
        Index = result.Index;
        Repetition = result.Repetition;
        Result = result.Result;
        Exception = result.Exception;
        EarlierAttempts = result.EarlierAttempts;
        Slot = result.Slot;
    }

    /// <summary>Initializes a result of a typed item, for tests.</summary>
    /// <param name="item">The item of the command.</param>
    /// <param name="result">The result of the last attempt, or null if the command could not be started.</param>
    /// <param name="exception">Why it could not be started, or what code of the caller threw; otherwise null.</param>
    /// <exception cref="System.ArgumentNullException">The item is null.</exception>
    /// <exception cref="System.ArgumentException">There is neither a result nor an exception.</exception>
    [SetsRequiredMembers]
    public BatchResult(BatchItem<T> item, ProcessResult? result, System.Exception? exception = null)
        : this(Create(item, result, exception))
    {
    }

    /// <summary>Gets the <see cref="BatchItem{T}.Tag"/> of the item.</summary>
    public new T Tag => ((BatchItem<T>)Item).Tag;
}
