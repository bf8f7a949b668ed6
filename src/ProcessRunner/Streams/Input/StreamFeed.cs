using System;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;

namespace ProcessRunner.Streams.Input;

/// <summary>Represents the standard input of one run.</summary>
internal abstract class StreamFeed : InputFeed
{
    /// <summary>Gets the exception that the source threw, or null.</summary>
    public virtual ExceptionDispatchInfo? Failure => null;

    /// <summary>Notes that the run reads the source. Called once, before the start.</summary>
    /// <exception cref="InvalidOperationException">
    /// Another run reads the source, which serves one at a time.
    /// </exception>
    public virtual void Claim(IStreamOwner owner)
    {
    }

    /// <summary>
    /// Opens the file that this process reads in place of the child. Called on the starting thread, before each attempt
    /// to start, without the gate.
    /// </summary>
    /// <exception cref="LaunchException">The file cannot be opened.</exception>
    public virtual void Open()
    {
    }

    /// <summary>Closes that file after an attempt that failed.</summary>
    public virtual void CloseUnstarted()
    {
    }

    /// <summary>
    /// Starts the feed once the child has been registered. From now on the feed may wake the child's reactor.
    /// </summary>
    public virtual void Start()
    {
    }
}
