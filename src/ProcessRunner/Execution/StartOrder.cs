using System;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution;

/// <summary>One run that is to be started.</summary>
/// <param name="Command">What to run.</param>
internal readonly record struct StartOrder(ProcessCommand Command)
{
    /// <summary>Which attempt the first one is, from 1.</summary>
    public int Attempt { get; init; } = 1;

    /// <summary>Whether the first attempt is the only one, since somebody else sees to a further one.</summary>
    public bool IsTriedOnce { get; init; }

    /// <summary>What a batch has taken once for all its children, or null.</summary>
    public InheritedEnvironment? Environment { get; init; }

    /// <summary>What the child is told of its batch.</summary>
    public SlotVariable Slot { get; init; }

    /// <summary>Is told of the end, besides those that wait; or null.</summary>
    public IRunObserver? Observer { get; init; }

    /// <summary>Whether the user gets a <see cref="ChildProcess"/>, by which alone some streams can be reached.</summary>
    public bool IsHandedOut { get; init; }

    /// <summary>Whether the command may be run again, by a batch.</summary>
    public bool MayRunAgain { get; init; }

    /// <summary>Refuses what could not be kept, reached or repeated.</summary>
    /// <exception cref="InvalidOperationException">
    /// The command has a limit that could not be kept, a stream that nobody could reach, or an input that a second run would find
    /// read.
    /// </exception>
    public void ThrowIfUnfit()
    {
        Command.ThrowIfSilenceIsUnheard();
        if (!IsHandedOut)
        {
            Command.ThrowIfUnreachable();
        }

        if (MayRunAgain)
        {
            Command.ThrowIfReadOnce();
        }
    }
}
