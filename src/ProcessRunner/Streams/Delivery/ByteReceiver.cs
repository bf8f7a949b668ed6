using System;
using System.Threading;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Receives a stream's bytes on a delivery thread, in order and one call at a time. It may block, which creates
/// backpressure on the child, and it may throw, which ends the delivery.
/// </summary>
internal abstract class ByteReceiver
{
    /// <summary>
    /// Gets whether the receiver waits for nothing once the child has ended, so that a stopped run need not abandon it.
    /// </summary>
    public virtual bool EndsWithTheChild => false;

    /// <summary>
    /// Gets whether the receiver reports when the bytes arrived. They must then be read as soon as they are available,
    /// even if the receiver is slow.
    /// </summary>
    public virtual bool TellsTime => false;

    /// <summary>Gets whether the receiver calls user code. Such receivers of a run take turns.</summary>
    public virtual bool CallsUser => false;

    /// <summary>Gets how long the stream is silent before <see cref="OnSilence"/> is called.</summary>
    public virtual TimeSpan Patience => Timeout.InfiniteTimeSpan;

    /// <summary>
    /// Gets how many parts of its bytes a user has taken, as a sign of life in the middle of <see cref="OnBytes"/>.
    /// Thread-safe.
    /// </summary>
    public virtual long PartsTaken => 0;

    /// <inheritdoc cref="StreamSink.Open"/>
    public virtual void Open()
    {
    }

    /// <inheritdoc cref="StreamSink.CloseUnstarted"/>
    public virtual void CloseUnstarted()
    {
    }

    /// <summary>Handles the next bytes, which are not valid after the call.</summary>
    /// <param name="bytes">The bytes; at least one.</param>
    /// <param name="readAt">The time at which they were read from the pipe, in UTC.</param>
    public abstract void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt);

    /// <summary>Handles the silence that has followed the last bytes. Called once for each silence.</summary>
    public virtual void OnSilence()
    {
    }

    /// <summary>Handles the end of the delivery. This last call is always made.</summary>
    /// <param name="isWhole">False if the delivery was abandoned before its end.</param>
    public virtual void OnEnd(bool isWhole)
    {
    }

    /// <summary>Handles the end of an abandoned delivery: no further call of user code begins. Thread-safe.</summary>
    public virtual void Close()
    {
    }

    /// <summary>
    /// Ends the receiver's own wait inside <see cref="OnBytes"/>, if any. Called on another delivery thread.
    /// </summary>
    public virtual void CallOff()
    {
    }
}
