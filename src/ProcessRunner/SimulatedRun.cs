using System;
using System.Collections.Immutable;
using System.Diagnostics;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading.Tasks;
using ProcessRunner.Execution;
using ProcessRunner.Execution.Simulation;

namespace ProcessRunner;

/// <summary>
/// Describes what a simulated child does (<see cref="ProcessEngine.Simulate"/>): step by step, on a thread of its own,
/// until it exits with code 0 or as the last step says. Immutable: each method returns a description with one more
/// step.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class SimulatedRun
{
    private SimulatedRun(
        ImmutableArray<Action<SimulatedProgram>> steps,
        SimulatedStartFailure? startFailure = null,
        Func<PosixSignal, int?>? onSignal = null)
    {
        Steps = steps;
        StartFailure = startFailure;
        SignalHandler = onSignal;
    }

    /// <summary>Initializes a run that writes a text and exits.</summary>
    /// <param name="output">The text for standard output, in the encoding that the command gives it.</param>
    /// <param name="exitCode">The exit code.</param>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    public SimulatedRun(string output = "", int exitCode = 0)
    {
        ArgumentNullException.ThrowIfNull(output);
        Steps = output.Length == 0 ? [] : [program => program.StandardOutput.Write(output)];
        if (exitCode != 0)
        {
            Steps = Steps.Add(program => program.Exit(exitCode));
        }
    }

    internal ImmutableArray<Action<SimulatedProgram>> Steps { get; }

    internal SimulatedStartFailure? StartFailure { get; }

    internal Func<PosixSignal, int?>? SignalHandler { get; }

    /// <summary>Creates a run whose start fails.</summary>
    /// <param name="step">
    /// The step that fails. The library repeats the start of a failure that may pass
    /// (<see cref="ProcessStartException.IsTransient"/>), as it does with a real child.
    /// </param>
    /// <param name="reason">The reason that the message gives.</param>
    /// <param name="attempts">The number of attempts that fail; all if null.</param>
    /// <returns>A run that can have steps, for the attempts that do not fail.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// There is no such step, or the number is less than 1.
    /// </exception>
    /// <exception cref="ArgumentNullException">The reason is null.</exception>
    public static SimulatedRun FailStart(ProcessStartStep step, string reason = "simulated", int? attempts = null)
    {
        if (!Enum.IsDefined(step))
        {
            throw new ArgumentOutOfRangeException(nameof(step), step, "There is no such step.");
        }

        ArgumentNullException.ThrowIfNull(reason);
        ArgumentOutOfRangeException.ThrowIfLessThan(attempts ?? 1, 1, nameof(attempts));
        return new SimulatedRun([], new SimulatedStartFailure(step, reason, attempts));
    }

    /// <summary>Writes a text to standard output, in the encoding that the command gives it.</summary>
    /// <param name="text">The text.</param>
    /// <returns>A run with this step after the steps of this one, which does not change.</returns>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    public SimulatedRun Write(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return Do(program => program.StandardOutput.Write(text));
    }

    /// <summary>Writes bytes to standard output.</summary>
    /// <param name="bytes">The bytes, which are copied.</param>
    /// <returns>A run with this step after the steps of this one, which does not change.</returns>
    public SimulatedRun Write(ReadOnlySpan<byte> bytes)
    {
        byte[] copy = bytes.ToArray();
        return Do(program => program.OutputStream.Write(copy));
    }

    /// <summary>Writes a text to standard error, in the encoding that the command gives it.</summary>
    /// <param name="text">The text.</param>
    /// <returns>A run with this step after the steps of this one, which does not change.</returns>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    public SimulatedRun WriteError(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return Do(program => program.StandardError.Write(text));
    }

    /// <summary>Lets time pass.</summary>
    /// <param name="time">
    /// The time; <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> for a child that hangs until it is stopped.
    /// </param>
    /// <returns>A run with this step after the steps of this one, which does not change.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative.</exception>
    public SimulatedRun Pause(TimeSpan time)
    {
        TimeLimit.Validated(time, nameof(time));
        return Do(program => program.Pause(time));
    }

    /// <summary>Reads the standard input to its end.</summary>
    /// <returns>A run with this step after the steps of this one, which does not change.</returns>
    public SimulatedRun ReadInput() => Do(static program => program.InputStream.CopyTo(Stream.Null));

    /// <summary>Copies the standard input to standard output, as <c>cat</c> does.</summary>
    /// <returns>A run with this step after the steps of this one, which does not change.</returns>
    public SimulatedRun CopyInput() => Do(static program => program.InputStream.CopyTo(program.OutputStream));

    /// <summary>
    /// Runs code in place of the program, on the thread of the child. If the code throws, the child ends as a program
    /// does with an unhandled exception: its text goes to standard error, and SIGABRT ends the child.
    /// </summary>
    /// <param name="step">The code.</param>
    /// <returns>A run with this step after the steps of this one, which does not change.</returns>
    /// <exception cref="ArgumentNullException">The code is null.</exception>
    public SimulatedRun Do(Action<SimulatedProgram> step)
    {
        ArgumentNullException.ThrowIfNull(step);
        return new SimulatedRun(Steps.Add(step), StartFailure, SignalHandler);
    }

    /// <summary>
    /// Runs asynchronous code in place of the program. The thread of the child waits for its task. If the code throws,
    /// the child ends as a program does with an unhandled exception: its text goes to standard error, and SIGABRT ends
    /// the child.
    /// </summary>
    /// <param name="step">
    /// The code. The continuation after an <c>await</c> runs on a ThreadPool thread, as usual.
    /// </param>
    /// <returns>A run with this step after the steps of this one, which does not change.</returns>
    /// <exception cref="ArgumentNullException">The code is null.</exception>
    /// <remarks>
    /// Without this overload an asynchronous lambda would bind to the <see cref="Action{T}"/>, and nothing would wait
    /// for it.
    /// </remarks>
    public SimulatedRun Do(Func<SimulatedProgram, Task> step)
    {
        ArgumentNullException.ThrowIfNull(step);
        return Do(program => step(program).GetAwaiter().GetResult());
    }

    /// <summary>Ends the child with an exit code. No further step follows.</summary>
    /// <param name="code">The exit code.</param>
    /// <returns>A run with this step after the steps of this one, which does not change.</returns>
    public SimulatedRun Exit(int code) => Do(program => program.Exit(code));

    /// <summary>Ends the child as a signal ends a program. No further step follows.</summary>
    /// <param name="signal">The signal. A raw number may be cast.</param>
    /// <returns>A run with this step after the steps of this one, which does not change.</returns>
    /// <exception cref="ArgumentOutOfRangeException">There is no such signal.</exception>
    public SimulatedRun Die(PosixSignal signal)
    {
        SignalArgument.Validated(signal, nameof(signal));
        return Do(program => program.Die(signal));
    }

    /// <summary>
    /// Decides what the child does about a signal that it can handle, in place of the end that is the default.
    /// </summary>
    /// <param name="handler">
    /// The decision: the exit code with which the signal ends the child, or null if the child goes on. A thread of the
    /// child calls it, for one signal at a time and in the context of the caller. An exception ends the child as one of
    /// <see cref="Do(Action{SimulatedProgram})"/> does.
    /// </param>
    /// <returns>A run with this decision in place of an earlier one. This one does not change.</returns>
    /// <exception cref="ArgumentNullException">The decision is null.</exception>
    public SimulatedRun OnSignal(Func<PosixSignal, int?> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return new SimulatedRun(Steps, StartFailure, handler);
    }

    /// <summary>Returns how many steps there are, and whether the start fails.</summary>
    public override string ToString() =>
        (StartFailure is null ? "" : $"{StartFailure.Step}, ")
        + (Steps.Length == 1 ? "1 step" : $"{Steps.Length} steps");
}
