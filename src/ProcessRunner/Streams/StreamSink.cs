using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Streams;

/// <summary>
/// Represents the destination of one stream of one run. The reactor fills it. The child's life ends it and queries its
/// outcome. The child's gate is held throughout.
/// </summary>
internal abstract class StreamSink : OutputSink
{
    /// <summary>Gets the number of bytes received so far.</summary>
    public long TotalBytes { get; protected set; }

    /// <summary>Gets whether the receiver has got all received bytes and the end of the stream.</summary>
    public virtual bool IsDelivered => true;

    /// <summary>Gets the exception that a receiver threw, or null.</summary>
    public virtual ExceptionDispatchInfo? Failure => null;

    /// <summary>Gets the instant at which the sink needs <see cref="OnDeadline"/>.</summary>
    public virtual long Deadline => MonotonicClock.Never;

    /// <summary>
    /// Opens the file to which this process writes the stream in place of the child. Called on the starting thread,
    /// before each attempt to start, without the gate.
    /// </summary>
    /// <exception cref="LaunchException">The file cannot be opened.</exception>
    public virtual void Open()
    {
    }

    /// <summary>Closes that file after an attempt that failed.</summary>
    public virtual void CloseUnstarted()
    {
    }

    /// <summary>Ends the stream: no more bytes come. Called once or more.</summary>
    public virtual void End()
    {
    }

    /// <summary>Abandons the receivers: the run no longer waits for them.</summary>
    public virtual void Abandon()
    {
    }

    /// <summary>
    /// Handles a lack of memory: releases the kept bytes, and only counts further ones. Allocates no memory itself.
    /// </summary>
    public abstract void LetGo();

    /// <summary>Handles a deadline that may have passed.</summary>
    public virtual void OnDeadline(long now)
    {
    }

    /// <summary>Returns the kept part of the stream after its end.</summary>
    /// <param name="decoding">The encoding of its text.</param>
    /// <param name="isHeldOpen">Whether another process still holds the stream open.</param>
    public abstract CapturedOutput Captured(Decoding decoding, bool isHeldOpen);
}
