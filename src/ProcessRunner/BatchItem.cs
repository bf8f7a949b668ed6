using System;
using System.Collections.Immutable;
using System.Diagnostics;
using ProcessRunner.Execution;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner;

/// <summary>Describes one command of a batch and how it is scheduled. Immutable.</summary>
/// <seealso cref="BatchItem{T}"/>
[DebuggerDisplay("{ToString(),nq}")]
public record BatchItem
{
    private readonly BatchItemExtras? _extras;

    /// <summary>Initializes an item from a command.</summary>
    /// <param name="command">The command to run.</param>
    /// <exception cref="ArgumentNullException">The command is null.</exception>
    public BatchItem(ProcessCommand command)
    {
        ArgumentNullException.ThrowIfNull(command);
        Command = command;
    }

    /// <summary>Gets the command to run.</summary>
    public ProcessCommand Command { get; private init; }

    /// <summary>
    /// Gets an object of the caller's choice, which the result carries as <see cref="BatchResult.Tag"/>.
    /// </summary>
    /// <value>Null by default.</value>
    public object? Tag { get; init; }

    /// <summary>
    /// Gets the weight of the command: how many of the <see cref="BatchOptions.MaxConcurrency"/> slots it takes.
    /// </summary>
    /// <value>
    /// 1 by default; 1 or more. A command that asks for more slots than there are takes all of them and runs alone.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is less than 1.</exception>
    public int Slots
    {
        get => Extras.Slots;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            Extras = Extras with { Slots = value };
        }
    }

    /// <summary>
    /// Gets the group of the command, whose limit in <see cref="BatchOptions.GroupLimits"/> applies as well.
    /// </summary>
    /// <value>Null, for no group, by default.</value>
    public string? Group
    {
        get => Extras.Group;
        init => Extras = Extras with { Group = value };
    }

    /// <summary>
    /// Gets how often and when the command is repeated if it fails, instead of <see cref="BatchOptions.Retry"/>.
    /// </summary>
    /// <value>Null, for the retry of the batch, by default.</value>
    public BatchRetry? Retry
    {
        get => Extras.Retry;
        init => Extras = Extras with { Retry = value };
    }

    /// <summary>Gets how long the command is expected to run, for <see cref="BatchOrder.LongestFirst"/>.</summary>
    /// <value>Zero, for unknown, by default; zero or more.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan ExpectedRunTime
    {
        get => Extras.ExpectedRunTime;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
            Extras = Extras with { ExpectedRunTime = value };
        }
    }

    /// <summary>Returns the command, and the settings that are not the default.</summary>
    public sealed override string ToString() => Command.Hide(SettingText.Of(
        $"{Command}",
        Slots == 1 ? null : $"{Slots} slots",
        Group is null ? null : $"group {Group}",
        Tag is null ? null : $"tag {Tag}",
        Retry is null ? null : $"{Retry}",
        ExpectedRunTime == TimeSpan.Zero ? null : $"expected to run for {ExpectedRunTime}"));

    private BatchItemExtras Extras
    {
        get => _extras ?? BatchItemExtras.None;
        init => _extras = value == BatchItemExtras.None ? null : value;
    }

    /// <summary>Returns this item, or one whose command also hides the secrets of an engine.</summary>
    internal BatchItem HiddenBy(ImmutableArray<Secret> secrets) =>
        secrets.IsEmpty ? this : this with { Command = Command.HiddenBy(secrets) };
}
