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
        bool isComplete = options.Assemblies.TrueForAll(name => Run(name, options, log));
        log.Sum();

        // A test that hangs has threads, which must not hold up the end.
        Environment.Exit(isComplete && log.Failed == 0 && log.Passed + log.Skipped > 0 ? Success : Failure);
        return Failure;
    }

    private static bool Run(string name, RunnerOptions options, TestLog log)
    {
        Assembly assembly = Assembly.Load(name);
        IAssemblyInfo information = Reflector.Wrap(assembly);
        using TestFrameworkProxy framework = new(information, new NoSources(), log);
        log.Found.Clear();
        log.FoundAll.Reset();
        log.AssemblyEnded.Reset();
        using ITestFrameworkDiscoverer discoverer = framework.GetDiscoverer(information);
        discoverer.Find(includeSourceInformation: false, log, new FrameworkOptions());
        log.FoundAll.Wait();
        List<ITestCase> chosen = [.. log.Found.Where(options.Chooses)];
        Console.WriteLine($"{name}: {chosen.Count} of {log.Found.Count} tests");
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
