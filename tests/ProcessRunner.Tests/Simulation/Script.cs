using System;
using System.Collections.Generic;
using System.Linq;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Represents one step of a simulated process.</summary>
internal enum Deed
{
    Pause,
    Write,
    WriteError,
    CloseOutput,
    CloseError,
    CloseInput,
    Read,
    Fork,
    Exit,
    Crash,
    Hang,
}

/// <summary>One step of a script.</summary>
/// <param name="Deed">What the process does.</param>
/// <param name="Amount">The bytes, the ticks, the exit code or the signal.</param>
/// <param name="Child">The script of a descendant.</param>
internal readonly record struct Step(Deed Deed, long Amount = 0, Script? Child = null);

/// <summary>Describes one attempt to start a child.</summary>
/// <param name="Takes">How long it takes; <see cref="MonotonicClock.Never"/> if it hangs until it is killed.</param>
/// <param name="Failure">The step that fails, or null.</param>
internal readonly record struct StartAttempt(long Takes, LaunchStep? Failure);

/// <summary>Describes all that a simulated process will do. Chosen before it lives.</summary>
internal sealed class Script
{
    private const int Longest = 6;
    private const int LongestWrite = 3000;
    private const int LongestLargeWrite = 300_000;

    private readonly Queue<StartAttempt> _starts = new();

    private Script()
    {
    }

    private Script(Dice dice, int depth)
    {
        int longestWrite = dice.Below(80) == 0 ? LongestLargeWrite : LongestWrite;
        for (int left = dice.Below(Longest); left > 0; left--)
        {
            Steps.Add(NextStep(dice, depth, longestWrite));
        }

        Steps.Add(dice.Below(20) switch
        {
            0 => new Step(Deed.Hang),
            1 => new Step(Deed.Crash, dice.OneOf(6, 11)),
            < 5 => new Step(Deed.Exit, dice.Between(1, 3)),
            _ => new Step(Deed.Exit),
        });
        IgnoresSignals = dice.Percent(15);
        CleanUpTakes = dice.Percent(30) ? dice.Ticks() : 0;
        ExitsOnSignal = dice.Percent(30);
        KillTakes = dice.Percent(4) ? 3 * dice.Ticks() : 0;
        LosesStatus = dice.Percent(2);
        LeavesGroup = dice.Percent(30);
        IsHidden = LeavesGroup && dice.Percent(20);
        HoldsOutput = dice.Percent(50);
        HoldsError = dice.Percent(30);
        PipeCapacity = longestWrite == LongestWrite ? dice.OneOf(100, 4096, 65536) : 65536;
    }

    /// <summary>Gets the number of the run, which says which bytes its streams carry.</summary>
    public required int Number { get; init; }

    /// <summary>Gets the number of bytes that each pipe of the child holds.</summary>
    public int PipeCapacity { get; private init; }

    /// <summary>Gets the steps. The last one ends the process, or does not.</summary>
    public List<Step> Steps { get; } = [];

    /// <summary>Gets whether only SIGKILL ends the process.</summary>
    public bool IgnoresSignals { get; private init; }

    /// <summary>Gets how long the process takes to die after another signal.</summary>
    public long CleanUpTakes { get; }

    /// <summary>Gets whether the process handles the signal and then exits by itself.</summary>
    public bool ExitsOnSignal { get; }

    /// <summary>Gets how long the kernel takes to kill the process.</summary>
    public long KillTakes { get; }

    /// <summary>Gets whether another caller takes the exit status.</summary>
    public bool LosesStatus { get; }

    /// <summary>Gets whether a descendant leaves the group of its child.</summary>
    public bool LeavesGroup { get; }

    /// <summary>Gets whether no survey can find a descendant.</summary>
    public bool IsHidden { get; }

    /// <summary>Gets whether a descendant keeps the output of its child open.</summary>
    public bool HoldsOutput { get; }

    /// <summary>Gets whether a descendant keeps the errors of its child open.</summary>
    public bool HoldsError { get; }

    /// <summary>Gets how many bytes the process and its descendants write at most.</summary>
    public long Bytes => Steps.Sum(step => step.Deed switch
    {
        Deed.Write or Deed.WriteError => step.Amount,
        Deed.Fork => step.Child!.Bytes,
        _ => 0,
    });

    /// <summary>Makes a script of known steps, whose start takes its time.</summary>
    public static Script Of(int number, long startTakes, params ReadOnlySpan<Step> steps)
    {
        Script script = new() { Number = number, PipeCapacity = 65536, IgnoresSignals = true };
        script.Steps.AddRange(steps);
        script._starts.Enqueue(new StartAttempt(startTakes, Failure: null));
        return script;
    }

    /// <summary>Makes the script of a child that cannot be started.</summary>
    public static Script Unstartable(int number, LaunchStep failure)
    {
        Script script = new() { Number = number };
        script._starts.Enqueue(new StartAttempt(0, failure));
        return script;
    }

    /// <summary>Makes the script of a child.</summary>
    public static Script ForChild(Dice dice, int number)
    {
        Script script = new(dice, depth: 0) { Number = number };
        for (int failures = dice.Percent(5) ? Failures(dice) : 0; failures > 0; failures--)
        {
            LaunchStep shortage = dice.OneOf(LaunchStep.OutOfResources, LaunchStep.OutOfDescriptors, LaunchStep.Busy);
            script._starts.Enqueue(new StartAttempt(0, shortage));
        }

        if (dice.Percent(2))
        {
            script._starts.Enqueue(new StartAttempt(0, LaunchStep.NotFound));
        }

        long takes = dice.Below(50) switch
        {
            0 => MonotonicClock.Never,
            < 4 => dice.Ticks(),
            _ => 0,
        };
        script._starts.Enqueue(new StartAttempt(takes, Failure: null));
        return script;
    }

    /// <summary>Takes the next attempt to start.</summary>
    public StartAttempt NextStart() => _starts.Count > 1 ? _starts.Dequeue() : _starts.Peek();

    private static Step NextStep(Dice dice, int depth, int longestWrite) => dice.Below(20) switch
    {
        < 6 => new Step(Deed.Write, Length(dice, longestWrite)),
        < 9 => new Step(Deed.WriteError, Length(dice, longestWrite)),
        < 14 => new Step(Deed.Pause, dice.Ticks()),
        < 16 => new Step(Deed.Read, Length(dice, LongestWrite)),
        16 when depth < 2 => new Step(Deed.Fork, Child: new Script(dice, depth + 1) { Number = 0 }),
        17 => new Step(dice.OneOf(Deed.CloseOutput, Deed.CloseError, Deed.CloseInput)),
        18 when depth < 2 => new Step(Deed.Fork, Child: new Script(dice, depth + 1) { Number = 0 }),
        _ => new Step(Deed.Pause),
    };

    // More than the attempts that are made, once in a while.
    private static int Failures(Dice dice) => dice.Percent(5) ? 13 : dice.Between(1, 3);

    private static int Length(Dice dice, int longest) =>
        dice.Percent(30) ? dice.Between(1, 12) : dice.Between(1, longest);
}
