using System;
using System.Globalization;
using ProcessRunner;
using PTest.Verdicts;

namespace PTest.Running;

/// <summary>Represents how a process of tests ended.</summary>
/// <param name="Verdict">The verdict for the tests that it took along; <see cref="Verdict.Pass"/> if none.</param>
/// <param name="Text">The reason, for people.</param>
internal sealed record UnitEnd(Verdict Verdict, string Text)
{
    private static readonly UnitEnd s_complete = new(Verdict.Pass, "");

    /// <summary>Gets whether there was a process. If not, this says nothing of its tests.</summary>
    public bool HasStarted { get; private init; } = true;

    public bool IsComplete => Verdict == Verdict.Pass;

    /// <summary>Judges an end. Without the last message of the host none is complete.</summary>
    public static UnitEnd Of(UnitRun run, BatchResult result)
    {
        if (run.StopReason is string reason)
        {
            return new UnitEnd(Verdict.Timeout, reason);
        }

        if (run.HasRunEnded
            && (run.IsStopped || result.Result is not ProcessResult { StoppedBy: StopCause.None } own
                || run.Unit.Assembly.Host.Explains(own, run.Outcomes)))
        {
            return s_complete;
        }

        if (result.Result is not ProcessResult process)
        {
            return new UnitEnd(Verdict.Exit, $"the process could not be started: {result.Exception?.Message}")
            {
                HasStarted = false,
            };
        }

        if (process.StoppedBy != StopCause.None || run.IsStopped)
        {
            return new UnitEnd(Verdict.NotRun, "the run was stopped");
        }

        return process.Outcome switch
        {
            _ when BackendLimits.SignalOf(process) is int signal =>
                new UnitEnd(Verdict.Crash, $"{SignalText(signal)} ended the process"),
            ProcessOutcome.Exited => new UnitEnd(Verdict.Exit, Exited(run, process)),
            _ => new UnitEnd(Verdict.Exit, $"the process ended: {process.Outcome}"),
        };
    }

    private static string Exited(UnitRun run, ProcessResult process)
    {
        string place = run.HasRunEnded ? "" : " in the middle of the run";
        string text = string.Create(
            CultureInfo.InvariantCulture, $"the process ended with exit code {process.ExitCode}{place}");
        return run.HostError is string message ? $"{text}: {message}" : text;
    }

    private static string SignalText(int number) => number switch
    {
        0 => "a signal",
        4 => "SIGILL",
        6 => "SIGABRT",
        7 when OperatingSystem.IsLinux() => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        10 when OperatingSystem.IsMacOS() => "SIGBUS",
        11 => "SIGSEGV",
        15 => "SIGTERM",
        _ => string.Create(CultureInfo.InvariantCulture, $"signal {number}"),
    };
}
