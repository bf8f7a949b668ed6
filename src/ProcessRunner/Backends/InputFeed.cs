using System;

namespace ProcessRunner.Backends;

/// <summary>
/// Provides the bytes of a child's standard input. Only the backend calls it, with the child's gate held. The code that
/// adds bytes wakes the backend with <see cref="BackendChild.ResumeInput"/>.
/// </summary>
internal abstract class InputFeed
{
    /// <summary>Gets the bytes that can be written now; empty while there are none.</summary>
    public abstract ReadOnlyMemory<byte> Pending { get; }

    /// <summary>
    /// Gets whether nothing will follow <see cref="Pending"/>, so that the child must see the end of its input.
    /// </summary>
    public abstract bool IsComplete { get; }

    /// <summary>
    /// Removes the first <paramref name="count"/> pending bytes, which have been written. Does nothing if the feed was
    /// abandoned during the write.
    /// </summary>
    public abstract void Advance(int count);

    /// <summary>
    /// Gives up the rest, which will not be read: the child closed its input, as it may, or has ended.
    /// </summary>
    public abstract void Abandon();
}
