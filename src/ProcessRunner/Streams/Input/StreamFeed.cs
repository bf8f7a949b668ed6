using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Input;

/// <summary>Represents the standard input of one run.</summary>
internal abstract class StreamFeed : InputFeed
{
    /// <summary>Gets the exception that the source threw, or null.</summary>
    public virtual ExceptionDispatchInfo? Failure => null;

    /// <summary>
    /// Starts the feed once the child has been registered. From now on the feed may wake the child's reactor.
    /// </summary>
    public virtual void Start()
    {
    }
}
