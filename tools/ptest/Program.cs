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
        if (given is { RerunsFailed: true, KeepsHistory: false })
        {
            throw new UsageException("--rerun-failed needs the history, which --no-history leaves out.");
        }

        Configured configured = new(given);
        Settings settings = configured.Settings;
        if (settings is { RerunsFailed: true, Shard.Kind: "time" })
        {
            throw new UsageException(
                "--rerun-failed cannot be given with --shard time: a run of such a part adds nothing to the history.");
        }

        TestHistory history = new(settings.KeepsHistory ? UserCache.Folder("history") : null);
        using EarlyEnd early = new();
        using ReportSet reports = new(settings.IsListing ? [] : settings.Reports);
        SessionOptions options = Options(settings, configured) with { OnReady = history.OnStart };
        IReadOnlyDictionary<string, string?> variables = SetupRunner.Run(configured.File.Setup ?? []);
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
        if (settings.Filters.Any(filter => filter.UsesTraits)
            && listed.FirstOrDefault(assembly => !assembly.Host.CanSelect) is TestAssembly other)
        {
            throw new UsageException($"{other.Host.Name} does not report the traits of the tests of {other.Name}.");
        }

        foreach (TestAssembly assembly in configured.UsesTraits ? listed.Where(one => !one.Host.CanSelect) : [])
        {
            ErrorOutput.Write(
                $"{assembly.Host.Name} does not report the traits of the tests of {assembly.Name}: an override that "
                + "goes by traits is not theirs.");
        }

        foreach (TestAssembly empty in listed.Except(all.Select(test => test.Assembly)).Where(_ => all.Count > 0))
        {
            ErrorOutput.Write($"{empty.Name} has no test that {empty.Host.Name} finds.");
        }

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
            foreach (TestCase test in tests)
            {
                Console.Out.WriteLine($"{test.Assembly.Name} {ReportText.Line(test.DisplayName)}");
            }

            return ExitStatus.Success;
        }

        UnitPlanner planner = new(settings.Isolation ?? default, options.Jobs, history, options.PolicyOf);
        Screen screen = new(settings.ShowsProgress, test => options.PolicyOf(test).Slow);
        RunPrinter printer = new(screen, settings.IsVerbose);
        ListenerGroup listeners = new(printer, reports);
        reports.OnStart(tests);
        early.Dispose();
        RunSummary summary = Repeated(
            settings.Stress ?? 1, options, own => new TestSession(own, listeners).Run(tests, planner.Plan(tests)));
        printer.Sum(summary);
        reports.OnEnd(summary);
        if (settings.Shard is not { Kind: "time" })
        {
            // New times would change the parts that are still to run.
            history.Add(all, summary.Rows, summary.Runs);
        }

        return ExitStatus.Of(summary, reports.HasFailed);
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

    private static SessionOptions Options(Settings settings, Configured configured) => new()
    {
        Jobs = settings.Jobs ?? Environment.ProcessorCount,
        IgnoresParallelHints = settings.IgnoresParallelHints,
        FailFast = settings.FailFast ?? 0,
        RunLimit = settings.RunTimeout ?? TimeSpan.Zero,
        Dump = settings.HangDump ?? DumpKind.None,
        GroupLimits = configured.File.Groups ?? [],
        PolicyOf = configured.PolicyOf,
    };

    private static int Refuse(string message)
    {
        ErrorOutput.Write(message);
        return ExitStatus.Usage;
    }
}
