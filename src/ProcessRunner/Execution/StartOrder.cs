using ProcessRunner.Backends;

namespace ProcessRunner.Execution;

/// <summary>One attempt to start a command.</summary>
/// <param name="Command">What to run.</param>
internal readonly record struct StartOrder(ProcessCommand Command)
{
    /// <summary>Which attempt it is, from 1.</summary>
    public int Attempt { get; init; } = 1;

    /// <summary>What a batch has taken once for all its children, or null.</summary>
    public InheritedEnvironment? Environment { get; init; }

    /// <summary>What the child is told of its batch.</summary>
    public SlotVariable Slot { get; init; }

    /// <summary>Who is told of the end, besides those that wait.</summary>
    public IRunObserver? Observer { get; init; }
}
