using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using ProcessRunner.TestSupport.Platforms;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace ProcessRunner.SuiteRunner;

/// <summary>
/// Runs each class of tests in a process of its own, as a batch of this library. A class that hangs or ends its process
/// is named, and all others report.
/// </summary>
internal static class ClassRuns
{
    // The process of a class tells a test that takes too long itself, unless nothing runs there any more.
    private static readonly TimeSpan s_tellTime = TimeSpan.FromSeconds(60);

    /// <summary>Runs the chosen tests of an assembly.</summary>
    /// <returns>Whether every test ran.</returns>
    public static bool Run(string name, RunnerOptions options, TestLog log)
    {
        Assembly assembly = Assembly.Load(name);
        using TestFrameworkProxy framework = new(Reflector.Wrap(assembly), new NoSources(), log);
        List<ITestCase> chosen = Program.Find(framework, assembly, options, log);
        List<BatchItem> items = [];
        foreach (IGrouping<string, ITestCase> one in chosen.GroupBy(test => test.TestMethod.TestClass.Class.Name))
        {
            string?[] obstacles = [.. one.Select(Obstacle)];
            if (obstacles.Contains(null))
            {
                ClassOfTests tests = new(one.Key, one.Count());
                items.Add(new BatchItem(Describe(name, one.Key, options)) { Tag = tests });
            }
            else
            {
                Array.ForEach(obstacles, reason => log.Skip(reason!));
            }
        }

        BatchOptions batch = new() { MaxConcurrency = options.Processes };
        foreach (BatchResult result in ProcessBatch.Enumerate(items, batch))
        {
            Report(result, log);
        }

        return log.NotRun == 0;
    }

    private static string? Obstacle(ITestCase test) =>
        SuiteFramework.Obstacles(test.TestMethod.Method.ToRuntimeMethod(), Platform.Current).FirstOrDefault();

    private static ProcessCommand Describe(string assembly, string testClass, RunnerOptions options) =>
        new(
            Environment.ProcessPath!,
            [
                .. options.Filters, "--class", testClass, "--list",
                "--limit", ((int)options.Limit.TotalSeconds).ToString(CultureInfo.InvariantCulture), assembly,
            ])
        {
            StandardInput = InputSource.Null,
            IdleTimeout = options.Limit + s_tellTime,
            StopGrace = TimeSpan.Zero,
        };

    // The lines tell more than the last one, which is missing if the process came to no end.
    private static void Report(BatchResult result, TestLog log)
    {
        ClassOfTests tests = (ClassOfTests)result.Tag!;
        (int passed, int failed, int skipped) = Read(result.Result?.StandardOutput.Lines() ?? [], log);
        int missing = Math.Max(0, tests.Count - passed - failed - skipped);
        if (missing > 0 && failed == 0)
        {
            Console.WriteLine($"FAILED {tests.Name}\n  {result.ToString().ReplaceLineEndings("\n  ")}");
            Console.WriteLine($"  {result.Result?.StandardError.Text.ReplaceLineEndings("\n  ")}");
            failed++;
            missing--;
        }

        if (failed == 0 && result.Result is { } end && !(end.Outcome == ProcessOutcome.Exited && end.ExitCode == 0))
        {
            Console.WriteLine($"FAILED {tests.Name}: its process ended so after its tests: {end}");
            failed++;
        }

        log.Add(passed, failed, missing);
        double seconds = result.Result?.RunTime.TotalSeconds ?? 0;
        Console.WriteLine($"{tests.Name}: {passed} passed, {failed} failed, {skipped} skipped, {seconds:f0} s");
        Console.Out.Flush();
    }

    private static (int Passed, int Failed, int Skipped) Read(IReadOnlyList<string> lines, TestLog log)
    {
        int passed = 0;
        int failed = 0;
        int skipped = 0;
        bool isInFailure = false;
        foreach (string line in lines)
        {
            bool isFailure = line.StartsWith("FAILED ", StringComparison.Ordinal);
            isInFailure = isFailure || (isInFailure && line.StartsWith(' '));
            if (isInFailure)
            {
                Console.WriteLine(line);
            }

            failed += isFailure ? 1 : 0;
            passed += line.StartsWith("passed ", StringComparison.Ordinal) ? 1 : 0;
            if (line.StartsWith("skipped ", StringComparison.Ordinal) && line.Split(' ', 3) is [_, var count, var why])
            {
                int number = int.Parse(count.TrimEnd(':'), CultureInfo.InvariantCulture);
                log.Skip(why, number);
                skipped += number;
            }
        }

        return (passed, failed, skipped);
    }

    private sealed record ClassOfTests(string Name, int Count);
}
