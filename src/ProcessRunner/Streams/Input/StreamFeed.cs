using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Input;

/// <summary>The standard input of one run.</summary>
internal abstract class StreamFeed : InputFeed
{
    /// <summary>What the source threw, or null.</summary>
    public virtual ExceptionDispatchInfo? Failure => null;

    /// <summary>The child has been registered: from now on the feed may wake its reactor.</summary>
    public virtual void Start()
    {
    }
}
