using System;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Who gets a stream's bytes on a delivery thread: one call at a time, in order. It may block, which the child feels, and
/// it may throw, which ends the delivery.
/// </summary>
internal abstract class ByteReceiver
{
    /// <summary>True if it waits for nobody once the child has ended: a run that is stopped need not give it up.</summary>
    public virtual bool EndsWithTheChild => false;

    /// <summary>True if it says when the bytes came: they are to be read as soon as they are there, even if it is slow.</summary>
    public virtual bool TellsTime => false;

    /// <summary>True if it calls user code: one such receiver of a run at a time has its turn.</summary>
    public virtual bool CallsUser => false;

    /// <summary>Takes the next bytes, which are not valid after the call.</summary>
    /// <param name="bytes">At least one.</param>
    /// <param name="readAt">When they came out of the pipe, in universal time.</param>
    public abstract void OnBytes(ReadOnlySpan<byte> bytes, DateTimeOffset readAt);

    /// <summary>Nothing comes any more; the last call, and it comes always.</summary>
    /// <param name="isWhole">False if the delivery was given up before its end.</param>
    public virtual void OnEnd(bool isWhole)
    {
    }

    /// <summary>The delivery is given up: no further call of user code begins. Any thread.</summary>
    public virtual void Close()
    {
    }

    /// <summary>Ends a wait of its own inside <see cref="OnBytes"/>, if there is one. On another delivery thread.</summary>
    public virtual void CallOff()
    {
    }
}
