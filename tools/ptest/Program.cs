using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using ProcessRunner;
using PTest.CommandLine;
using PTest.Configuration;
using PTest.History;
using PTest.Output;
using PTest.Precompilation;
using PTest.Reports;
using PTest.Running;
using PTest.Selection;
using PTest.Suites;
using PTest.Units;

namespace PTest;

/// <summary>Runs tests in processes of their own, with <see cref="ProcessBatch"/>.</summary>
internal static class Program
{
    private static int Main(string[] arguments)
    {
        try
        {
            // Whatever ends this process ends the processes that it has started, in every phase of a run.
            ProcessEngine.ConfigureShared(new ProcessEngineOptions { KillChildrenOnExit = true });
            return new PTestCommandLine().Parse(arguments) is Settings settings ? Run(settings) : ExitStatus.Success;
        }
        catch (OperationCanceledException)
        {
            return ExitStatus.Interrupted;
        }
        catch (UsageException exception)
        {
            return Refuse(exception.Message);
        }
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or ProcessStartException)
        {
            return Refuse(exception.Message);
        }
    }

    private static int Run(Settings given)
    {
        EffectiveSettings effective = Configure(given);
        Settings settings = effective.Settings;
        TestHistory history = new(settings.KeepsHistory ? UserCache.Folder("history") : null);
        using EarlyEnd early = new();
        using ReportSet reports = new(settings.IsListing ? [] : settings.Reports);
        SessionOptions options = Options(effective) with { OnReady = history.OnStart };
        IReadOnlyList<TestCase> all = List(effective, options);
        IReadOnlyList<TestCase> tests = Chosen(all, settings, history);
        if (tests.Count == 0)
        {
            ErrorOutput.Write("there are no tests to run.");
            reports.OnStart([]);
            reports.OnEnd(new RunSummary { Rows = [], Started = DateTime.UtcNow, Duration = TimeSpan.Zero });
            return ExitStatus.NoTests;
        }

        if (settings.IsListing)
        {
            PrintList(tests);
            return ExitStatus.Success;
        }

        UnitPlanner planner = new(settings.Isolation ?? default, options.Jobs, history, options.PolicyOf);
        reports.OnStart(tests);
        early.Dispose();
        RunSummary summary = RunTests(tests, planner, settings, options, reports);
        if (settings.Shard is not { Kind: "time" })
        {
            // New times would change the parts that are still to run.
            history.Add(all, summary.Rows, summary.Runs);
        }

        return ExitStatus.Of(summary, reports.HasFailed);
    }

    /// <summary>Adds ptest.json to the command line, and refuses options that contradict each other.</summary>
    private static EffectiveSettings Configure(Settings given)
    {
        if (given is { RerunsFailed: true, KeepsHistory: false })
        {
            throw new UsageException("--rerun-failed needs the history, which --no-history leaves out.");
        }

        EffectiveSettings effective = new(given);
        return effective.Settings is { RerunsFailed: true, Shard.Kind: "time" }
            ? throw new UsageException(
                "--rerun-failed cannot be given with --shard time: a run of such a part adds nothing to the history.")
            : effective;
    }

    /// <summary>Finds the assemblies, builds and prepares them, and lists all of their tests.</summary>
    private static IReadOnlyList<TestCase> List(EffectiveSettings effective, SessionOptions options)
    {
        Settings settings = effective.Settings;
        IReadOnlyDictionary<string, string?> variables = SetupRunner.Run(effective.File.Setup ?? []);
        IReadOnlyList<TestAssembly> assemblies =
            new TargetFinder(settings.Configuration, settings.Framework, settings.Builds).Find(settings.Targets);
        foreach (TestAssembly assembly in assemblies)
        {
            assembly.Host.Variables = variables;
        }

        if (settings.Precompiles == true && !settings.IsListing)
        {
            Precompiler.Prepare(assemblies, options.Jobs);
        }

        IReadOnlyList<TestCase> all = Listing.Of(assemblies, options);

        // The host that has found the tests of an assembly may not be its first one.
        ILookup<string, TestAssembly> known = all.Select(test => test.Assembly).ToLookup(one => one.FilePath);
        TestAssembly[] listed = [.. assemblies.Select(one => known[one.FilePath].FirstOrDefault(one))];
        CheckTraits(listed, effective);
        foreach (TestAssembly empty in listed.Except(all.Select(test => test.Assembly)).Where(_ => all.Count > 0))
        {
            ErrorOutput.Write($"{empty.Name} has no test that {empty.Host.Name} finds.");
        }

        return all;
    }

    /// <summary>Refuses a filter by traits that are unknown, and warns of an override by such traits.</summary>
    private static void CheckTraits(IReadOnlyList<TestAssembly> assemblies, EffectiveSettings effective)
    {
        TestAssembly[] without = [.. assemblies.Where(assembly => !assembly.Host.CanSelect)];
        if (without is [TestAssembly first, ..] && effective.Settings.Filters.Any(filter => filter.UsesTraits))
        {
            throw new UsageException($"{first.Host.Name} does not report the traits of the tests of {first.Name}.");
        }

        foreach (TestAssembly assembly in effective.UsesTraits ? without : [])
        {
            ErrorOutput.Write(
                $"{assembly.Host.Name} does not report the traits of the tests of {assembly.Name}: an override that "
                + "goes by traits is not theirs.");
        }
    }

    private static void PrintList(IReadOnlyList<TestCase> tests)
    {
        foreach (TestCase test in tests)
        {
            Console.Out.WriteLine($"{test.Assembly.Name} {ReportText.Line(test.DisplayName)}");
        }
    }

    private static RunSummary RunTests(
        IReadOnlyList<TestCase> tests,
        UnitPlanner planner,
        Settings settings,
        SessionOptions options,
        ReportSet reports)
    {
        Screen screen = new(settings.ShowsProgress, test => options.PolicyOf(test).Slow);
        RunPrinter printer = new(screen, settings.IsVerbose);
        ListenerGroup listeners = new(printer, reports);
        RunSummary summary = Repeated(
            settings.Stress ?? 1, options, own => new TestSession(own, listeners).Run(tests, planner.Plan(tests)));
        printer.Sum(summary);
        reports.OnEnd(summary);
        return summary;
    }

    /// <summary>
    /// Runs the tests a number of times, one after another, unless a run is ended before its time. The limits are those
    /// of all runs together.
    /// </summary>
    private static RunSummary Repeated(int count, SessionOptions options, Func<SessionOptions, RunSummary> run)
    {
        List<RunSummary> runs = [run(options)];
        while (runs.Count < count && runs[^1] is { NotRun: 0, IsInterrupted: false, IsBroken: false })
        {
            SessionOptions rest = options with
            {
                FailFast = Math.Max(0, options.FailFast - runs.Sum(one => one.Failed)),
                RunLimit = options.RunLimit - runs.Aggregate(TimeSpan.Zero, (sum, one) => sum + one.Duration),
            };
            if ((options.FailFast > 0 && rest.FailFast == 0)
                || (options.RunLimit > TimeSpan.Zero && rest.RunLimit <= TimeSpan.Zero))
            {
                break;
            }

            runs.Add(run(rest));
        }

        return RunSummary.Of(runs);
    }

    private static IReadOnlyList<TestCase> Chosen(
        IReadOnlyList<TestCase> tests, Settings settings, TestHistory history)
    {
        IReadOnlyList<TestCase> chosen =
        [
            .. tests.Where(test =>
                settings.Filters.Count == 0 || settings.Filters.Any(filter => filter.Chooses(test))),
        ];

        // A part is that of the run whose failures run again, whatever has failed.
        chosen = settings.Shard is Shard shard ? shard.Choose(chosen, history) : chosen;
        return settings.RerunsFailed ? [.. chosen.Where(history.IsOutstanding)] : chosen;
    }

    private static SessionOptions Options(EffectiveSettings effective) => new()
    {
        Jobs = effective.Settings.Jobs ?? Environment.ProcessorCount,
        IgnoresParallelHints = effective.Settings.IgnoresParallelHints,
        FailFast = effective.Settings.FailFast ?? 0,
        RunLimit = effective.Settings.RunTimeout ?? TimeSpan.Zero,
        Dump = effective.Settings.HangDump ?? DumpKind.None,
        GroupLimits = effective.File.Groups ?? [],
        PolicyOf = effective.PolicyOf,
    };

    private static int Refuse(string message)
    {
        ErrorOutput.Write(message);
        return ExitStatus.Usage;
    }
}
