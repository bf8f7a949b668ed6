using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams;

/// <summary>
/// What becomes of one stream of one run. The reactor fills it, the child's life ends it and asks what came of it; all
/// with the child's gate held.
/// </summary>
internal abstract class StreamSink : OutputSink
{
    /// <summary>The number of bytes that have come so far.</summary>
    public long TotalBytes { get; protected set; }

    /// <summary>True once everything that came has reached its receiver, and the end as well.</summary>
    public virtual bool IsDelivered => true;

    /// <summary>What a receiver threw, or null.</summary>
    public virtual ExceptionDispatchInfo? Failure => null;

    /// <summary>When it wants <see cref="OnDeadline"/>.</summary>
    public virtual long Deadline => MonotonicClock.Never;

    /// <summary>Nothing comes any more. Comes once or more.</summary>
    public virtual void End()
    {
    }

    /// <summary>The run does not wait for the receivers any longer.</summary>
    public virtual void Abandon()
    {
    }

    /// <summary>There is no memory: what was kept is let go, and what comes is only counted. Takes no memory itself.</summary>
    public abstract void LetGo();

    /// <summary>The deadline may have passed.</summary>
    public virtual void OnDeadline(long now)
    {
    }

    /// <summary>What is kept of the stream once it has ended.</summary>
    public abstract CapturedOutput Captured(ProcessCommand command, bool isHeldOpen);
}
