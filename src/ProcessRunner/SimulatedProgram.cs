using System;
using System.Diagnostics;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Simulated;
using ProcessRunner.Execution;
using ProcessRunner.Execution.Simulation;

namespace ProcessRunner;

/// <summary>
/// Represents a simulated child for the code that plays it (<see cref="SimulatedRun.Do(Action{SimulatedProgram})"/>).
/// Used by the thread of the child, and by the code that it waits for.
/// </summary>
/// <remarks>
/// Once the child has been stopped, a write or a pause throws an exception that ends the code, and a read finds the end
/// of the input.
/// </remarks>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class SimulatedProgram
{
    private readonly SimulatedProcess _process;

    internal SimulatedProgram(ProcessCommand command, SimulatedProcess process)
    {
        _process = process;
        Command = command;
        bool isMerged = command.StandardError == OutputTarget.MergeIntoOutput;
        StandardInput = new StreamReader(InputStream, command.InputEncoding);
        StandardOutput = Writer(process.ChildOutput, command.StandardOutputEncoding);
        StandardError = Writer(
            process.ChildError, isMerged ? command.StandardOutputEncoding : command.StandardErrorEncoding);
    }

    /// <summary>Gets the command that runs.</summary>
    public ProcessCommand Command { get; }

    /// <summary>Gets the process id, which no real process has.</summary>
    public int ProcessId => _process.Id;

    /// <summary>Gets the standard input as text.</summary>
    public TextReader StandardInput { get; }

    /// <summary>Gets the standard output as text. Every write reaches the pipe at once.</summary>
    public TextWriter StandardOutput { get; }

    /// <summary>Gets the standard error as text. Every write reaches the pipe at once.</summary>
    public TextWriter StandardError { get; }

    /// <summary>Gets the bytes of the standard input.</summary>
    public Stream InputStream => _process.ChildInput;

    /// <summary>Gets the bytes of the standard output.</summary>
    public Stream OutputStream => _process.ChildOutput;

    /// <summary>Gets the bytes of the standard error.</summary>
    public Stream ErrorStream => _process.ChildError;

    /// <summary>Gets whether the child runs: it has neither ended nor been stopped.</summary>
    public bool IsRunning => !_process.HasEnded;

    /// <summary>Lets time pass.</summary>
    /// <param name="time">
    /// The time; <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> waits until the child is stopped.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative.</exception>
    /// <exception cref="IOException">The child has been stopped.</exception>
    public void Pause(TimeSpan time) => _process.Pause(TimeLimit.Validated(time, nameof(time)));

    /// <summary>Ends the child. No further step follows.</summary>
    /// <param name="code">The exit code.</param>
    public void Exit(int code) => _process.End(ExitStatus.Exited(code));

    /// <summary>Ends the child as a signal ends a program. No further step follows.</summary>
    /// <param name="signal">The signal. A raw number may be cast.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such signal.</exception>
    public void Die(PosixSignal signal) =>
        _process.End(ExitStatus.Signaled(SignalArgument.Validated(signal, nameof(signal))));

    /// <summary>Returns the command and the process id.</summary>
    public override string ToString() => $"{Command}: simulated as {ProcessId}";

    // A byte order mark would be a part of the output.
    private StreamWriter Writer(Stream stream, Encoding? own) =>
        new(stream, new NoPreambleEncoding(own ?? Command.Encoding)) { AutoFlush = true };
}
