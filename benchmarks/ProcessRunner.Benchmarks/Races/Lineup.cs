using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Races;

/// <summary>Defines the contenders that several races share, under the same key and name everywhere.</summary>
internal static class Lineup
{
    public const string Floor = "floor";
    public const string RunWait = "run-wait";
    public const string RunWaitOnce = "run-wait-once";
    public const string RunAsyncBlocked = "run-async-blocked";
    public const string Batch = "batch";
    public const string Events = "events";
    public const string Async = "async";
    public const string Poll = "poll";
    public const string Inline = "inline";
    public const string Medallion = "medallion";
    public const string Xargs = "xargs";

    /// <summary>Gets the keys of all contenders in C# except this library.</summary>
    public static IReadOnlyList<string> ManagedRivals { get; } = [Events, Async, Poll, Inline, Medallion];

    /// <summary>Gets the environment variables that make sockets complete inline.</summary>
    public static IReadOnlyDictionary<string, string?> InlineCompletions { get; } =
        new Dictionary<string, string?> { [AsyncRunner.InlineCompletions] = "1" };

    /// <summary>Creates a contender for this library.</summary>
    public static Contender Library(string key, string name, Func<RaceSettings, Measurement> measure) =>
        new ManagedContender(key, $"ProcessRunner, {name}", ContenderKind.Library, measure);

    /// <summary>Creates a contender for every managed rival, each measured in the same way.</summary>
    public static IEnumerable<Contender> Rivals(Func<IChildRunner, RaceSettings, Measurement> measure)
    {
        yield return Rival(Events, "Process, events", new EventsRunner());
        yield return Rival(Async, "Process, async", new AsyncRunner(RivalForm.Text));
        yield return Rival(Poll, "Process, poll(2)", new PollRunner(RivalForm.Text));
        yield return Rival(Inline, "Process, async, inline completions", new AsyncRunner(RivalForm.Text)) with
        {
            Environment = InlineCompletions,
        };
        yield return Rival(Medallion, "MedallionShell 1.6.1", new MedallionRunner(RivalForm.Text));

        ManagedContender Rival(string key, string name, IChildRunner runner) =>
            new(key, name, ContenderKind.Rival, settings => measure(runner, settings));
    }

    /// <summary>Creates a contender for the C program; the head of floor.c describes its arguments.</summary>
    public static Contender Reference(string key, string name, Func<RaceSettings, IEnumerable<object>> arguments) =>
        new NativeContender(key, name, ContenderKind.Reference, settings => NativePrograms.Floor is string floor
            ? new ProcessCommand(floor, arguments(settings).Select(Text))
            : null);

    /// <summary>Gets the arguments with which the C program runs children to their ends.</summary>
    public static IEnumerable<object> Storm(
        ChildJob job, RaceSettings settings, int concurrency, int warmUp, bool keepsOutput) =>
        [
            "storm", settings.Children, concurrency, warmUp, keepsOutput ? 1 : 0, job.OutputBytes ?? 0, job.ErrorBytes,
            job.Program, .. job.Arguments,
        ];

    /// <summary>
    /// Creates a contender for xargs -P. Its children write to the null device; it succeeds if all children do.
    /// </summary>
    public static Contender ParallelXargs(Func<RaceSettings, ChildJob> job, int? concurrency = null)
    {
        string name = concurrency is int fixedConcurrency
            ? $"xargs -P{fixedConcurrency}, to /dev/null"
            : "xargs -P, to /dev/null";
        return new NativeContender(Xargs, name, ContenderKind.Rival, settings =>
        {
            ChildJob child = job(settings);
            object[] arguments = ["-P", concurrency ?? settings.Concurrency, "-I{}", child.Program, .. child.Arguments];
            return new ProcessCommand("xargs", arguments.Select(Text))
            {
                StandardInput = InputSource.FromText(string.Concat(Enumerable.Repeat("x\n", settings.Children))),
                StandardOutput = OutputTarget.Null,
                StandardError = OutputTarget.Null,
            };
        });
    }

    private static string Text(object argument) => Convert.ToString(argument, CultureInfo.InvariantCulture)!;
}
