using System;

namespace ProcessRunner.Backends;

/// <summary>
/// Where a stream's bytes go. The reactor that drains the stream is the only one to call, with the child's gate held.
/// </summary>
/// <remarks>
/// Bytes come in one of two ways. Most sinks are filled by the reactor. One that hands the bytes to user code at once
/// reads them itself, on the thread on which that is called: a handover for every read would cost more than the read.
/// </remarks>
internal abstract class OutputSink
{
    /// <summary>Room into which the next bytes may be read without a copy; may be empty.</summary>
    public abstract Span<byte> Room { get; }

    /// <summary>
    /// True while the reactor is not to read on, so that the child feels it. Whoever makes room calls
    /// <see cref="BackendChild.ResumeOutput"/>. What an ended child left in its pipe is taken all the same.
    /// </summary>
    public virtual bool IsFull => false;

    /// <summary>True if the reactor is to call <see cref="OnReadable"/> instead of reading, and then not to watch the pipe.</summary>
    public virtual bool ReadsItself => false;

    /// <summary>
    /// There is something to read by <see cref="BackendChild.Read"/>, until that finds nothing any more and
    /// <see cref="BackendChild.ResumeOutput"/> has the reactor watch again.
    /// </summary>
    public virtual void OnReadable()
    {
    }

    /// <summary>Takes the first <paramref name="count"/> bytes that now stand in <see cref="Room"/>.</summary>
    public abstract void Commit(int count);

    /// <summary>Takes bytes that did not fit into <see cref="Room"/>, by copying them.</summary>
    public abstract void Append(ReadOnlySpan<byte> bytes);
}
