using System.Diagnostics.CodeAnalysis;

namespace ProcessRunner;

/// <summary>
/// Represents the result of one <see cref="BatchItem{T}"/> of a batch. Immutable and safe to read from any thread.
/// </summary>
/// <typeparam name="T">The type of the tag.</typeparam>
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

    /// <summary>Gets the <see cref="BatchItem{T}.Tag"/> of the item.</summary>
    public new T Tag => ((BatchItem<T>)Item).Tag;
}
