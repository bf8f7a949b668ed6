using System;

namespace ProcessRunner.Backends;

/// <summary>
/// Where the bytes of a child's standard input come from. The backend is the only one to call, with the child's gate
/// held; whoever adds bytes wakes it with <see cref="BackendChild.ResumeInput"/>.
/// </summary>
internal abstract class InputFeed
{
    /// <summary>What can be written now; empty while there is nothing yet.</summary>
    public abstract ReadOnlyMemory<byte> Pending { get; }

    /// <summary>True once nothing will come after <see cref="Pending"/>: the child is to see the end of its input.</summary>
    public abstract bool IsComplete { get; }

    /// <summary>The first <paramref name="count"/> pending bytes have been written.</summary>
    public abstract void Advance(int count);

    /// <summary>Nothing will be read any more: the child closed its input, which is its right, or has ended.</summary>
    public abstract void Abandon();
}
