using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace ProcessRunner.SuiteRunner;

/// <summary>
/// Runs tests in this process, where neither an SDK nor a test host can be. Discovery and execution are xUnit's own.
/// </summary>
internal static class Program
{
    private const int Success = 0;
    private const int Failure = 1;
    private const int UsageError = 2;

    private static int Main(string[] arguments)
    {
        if (RunnerOptions.Parse(arguments) is not { } options)
        {
            Console.Error.WriteLine(RunnerOptions.Usage);
            return UsageError;
        }

        TestLog log = new(options.ListsPassed);
        bool isComplete = options.Processes > 0
            ? options.Assemblies.ConvertAll(name => ClassRuns.Run(name, options, log)).TrueForAll(isWhole => isWhole)
            : options.Assemblies.TrueForAll(name => Run(name, options, log));
        log.Sum();

        // A test that hangs has threads, which must not hold up the end.
        Environment.Exit(isComplete && log.Failed == 0 && log.Passed + log.Skipped > 0 ? Success : Failure);
        return Failure;
    }

    /// <summary>Finds the chosen tests of an assembly.</summary>
    public static List<ITestCase> Find(
        TestFrameworkProxy framework, Assembly assembly, RunnerOptions options, TestLog log)
    {
        log.Found.Clear();
        log.FoundAll.Reset();
        using ITestFrameworkDiscoverer discoverer = framework.GetDiscoverer(Reflector.Wrap(assembly));
        if (options.Class is string name)
        {
            discoverer.Find(name, includeSourceInformation: false, log, new FrameworkOptions());
        }
        else
        {
            discoverer.Find(includeSourceInformation: false, log, new FrameworkOptions());
        }

        log.FoundAll.Wait();
        List<ITestCase> chosen = [.. log.Found.Where(options.Chooses)];
        Console.WriteLine($"{assembly.GetName().Name}: {chosen.Count} of {log.Found.Count} tests");
        return chosen;
    }

    private static bool Run(string name, RunnerOptions options, TestLog log)
    {
        Assembly assembly = Assembly.Load(name);
        using TestFrameworkProxy framework = new(Reflector.Wrap(assembly), new NoSources(), log);
        List<ITestCase> chosen = Find(framework, assembly, options, log);
        log.AssemblyEnded.Reset();
        using ITestFrameworkExecutor executor = framework.GetExecutor(assembly.GetName());
        executor.RunTests(chosen, log, new FrameworkOptions());
        while (!log.AssemblyEnded.Wait(TimeSpan.FromSeconds(1)))
        {
            IReadOnlyList<string> overdue = log.Overdue(options.Limit);
            foreach (string test in overdue)
            {
                log.Fail(test, $"It did not end in {options.Limit.TotalSeconds} s. The tests after it did not run.");
            }

            if (overdue.Count > 0)
            {
                return false;
            }
        }

        return true;
    }
}
