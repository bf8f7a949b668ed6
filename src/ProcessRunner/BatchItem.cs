using System;

namespace ProcessRunner;

/// <summary>Describes one command of a batch: what to run, and how it is scheduled. Immutable.</summary>
public sealed record BatchItem
{
    private readonly int _slots = 1;
    private readonly TimeSpan _expectedRunTime;

    /// <summary>Initializes an item.</summary>
    /// <param name="command">What to run.</param>
    /// <exception cref="ArgumentNullException">It is null.</exception>
    public BatchItem(ProcessCommand command)
    {
        ArgumentNullException.ThrowIfNull(command);
        Command = command;
    }

    /// <summary>Gets what to run.</summary>
    public ProcessCommand Command { get; }

    /// <summary>Gets whatever the caller wants to find in the result again.</summary>
    /// <value>Null by default.</value>
    public object? Tag { get; init; }

    /// <summary>Gets how many of <see cref="BatchOptions.MaxConcurrency"/> the command takes: its weight.</summary>
    /// <value>1 by default; 1 or more. One that asks for more than there are takes them all, and runs alone.</value>
    /// <exception cref="ArgumentOutOfRangeException">It is less than 1.</exception>
    public int Slots
    {
        get => _slots;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            _slots = value;
        }
    }

    /// <summary>Gets the group whose limit in <see cref="BatchOptions.GroupLimits"/> holds for the command, too.</summary>
    /// <value>Null, no group, by default.</value>
    public string? Group { get; init; }

    /// <summary>Gets how long the command is expected to run, for <see cref="BatchOrder.LongestFirst"/>.</summary>
    /// <value>Zero, unknown, by default; zero or more.</value>
    /// <exception cref="ArgumentOutOfRangeException">It is negative.</exception>
    public TimeSpan ExpectedRunTime
    {
        get => _expectedRunTime;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
            _expectedRunTime = value;
        }
    }
}
