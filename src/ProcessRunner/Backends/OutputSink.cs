using System;

namespace ProcessRunner.Backends;

/// <summary>
/// Receives the bytes of a stream. Called only by the thread that drains the stream (a reactor, a waiting thread, a
/// worker or, if the sink reads by itself, a delivery thread), with the child's gate held.
/// </summary>
/// <remarks>
/// Bytes arrive in one of two ways. The backend fills most sinks. A sink that hands the bytes to user code at once
/// reads them itself, on the thread that calls the user code: a handover for every read would cost more than the read.
/// </remarks>
internal abstract class OutputSink
{
    /// <summary>
    /// Provides the room into which the next bytes may be read without a copy; may be empty. The sink can take memory
    /// for it.
    /// </summary>
    public abstract Span<byte> GetRoom();

    /// <summary>
    /// Gets whether the backend must stop reading, so that the child feels backpressure. The code that makes room calls
    /// <see cref="BackendChild.ResumeOutput"/>. The bytes that an ended child left in its pipe are drained regardless.
    /// </summary>
    public virtual bool IsFull => false;

    /// <summary>
    /// Gets whether the backend must call <see cref="OnReadable"/> instead of reading, and then stop watching the pipe.
    /// </summary>
    public virtual bool ReadsItself => false;

    /// <summary>
    /// Reports that <see cref="BackendChild.Read"/> has something to read. The sink reads until there is nothing left,
    /// and then calls <see cref="BackendChild.ResumeOutput"/>, after which the backend watches again.
    /// </summary>
    public virtual void OnReadable()
    {
    }

    /// <summary>Takes the first <paramref name="count"/> bytes, which are now in the room.</summary>
    public abstract void Commit(int count);

    /// <summary>Copies bytes that did not fit into the room.</summary>
    public abstract void Append(ReadOnlySpan<byte> bytes);
}
