using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using Xunit.Abstractions;

namespace ProcessRunner.SuiteRunner;

/// <summary>Counts and prints what xUnit reports, which it does from many threads.</summary>
internal sealed class TestLog(bool listsPassed) : Xunit.LongLivedMarshalByRefObject, IMessageSink
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, long> _running = [];
    private readonly HashSet<string> _failed = [];
    private readonly SortedDictionary<string, int> _skipReasons = new(StringComparer.Ordinal);

    public List<ITestCase> Found { get; } = [];

    public ManualResetEventSlim FoundAll { get; } = new();

    public ManualResetEventSlim AssemblyEnded { get; } = new();

    public int Passed { get; private set; }

    public int Failed { get; private set; }

    public int Skipped { get; private set; }

    /// <summary>Gets the number of tests whose process ended before them.</summary>
    public int NotRun { get; private set; }

    /// <summary>Gets the tests that have run for longer than a limit.</summary>
    public IReadOnlyList<string> Overdue(TimeSpan limit)
    {
        lock (_lock)
        {
            return [.. _running.Where(test => Stopwatch.GetElapsedTime(test.Value) > limit).Select(test => test.Key)];
        }
    }

    /// <summary>
    /// Prints a test that did not come to an end, and counts it unless it has failed before: Wine 8 can lose the thread
    /// of a test that fails.
    /// </summary>
    public void Fail(string test, string message)
    {
        lock (_lock)
        {
            Failed += _failed.Add(test) ? 1 : 0;
            Console.WriteLine($"FAILED {test}\n  {message}");
        }
    }

    /// <summary>Counts a test that was skipped.</summary>
    public void Skip(string reason, int count = 1)
    {
        lock (_lock)
        {
            Skipped += count;
            _skipReasons[reason] = _skipReasons.GetValueOrDefault(reason) + count;
        }
    }

    /// <summary>Counts the tests of a class that had a process of its own.</summary>
    public void Add(int passed, int failed, int notRun)
    {
        lock (_lock)
        {
            Passed += passed;
            Failed += failed;
            NotRun += notRun;
        }
    }

    /// <summary>Prints why tests were skipped, and the totals as the last line.</summary>
    public void Sum()
    {
        lock (_lock)
        {
            foreach ((string reason, int count) in _skipReasons)
            {
                Console.WriteLine($"skipped {count}: {reason}");
            }

            if (NotRun > 0)
            {
                Console.WriteLine($"{NotRun} did not run, because their process had ended");
            }

            Console.WriteLine($"{Passed} passed, {Failed} failed, {Skipped} skipped");
            Console.Out.Flush();
        }
    }

    public bool OnMessage(IMessageSinkMessage message)
    {
        lock (_lock)
        {
            switch (message)
            {
                case ITestCaseDiscoveryMessage found:
                    Found.Add(found.TestCase);
                    break;
                case IDiscoveryCompleteMessage:
                    FoundAll.Set();
                    break;
                case ITestStarting starting:
                    _running[starting.Test.DisplayName] = Stopwatch.GetTimestamp();
                    break;
                case ITestFinished finished:
                    _running.Remove(finished.Test.DisplayName);
                    break;
                case ITestPassed passed:
                    Passed++;
                    if (listsPassed)
                    {
                        Console.WriteLine($"passed {passed.Test.DisplayName} in {passed.ExecutionTime:f2} s");
                    }

                    break;
                case ITestSkipped skipped:
                    Skip(skipped.Reason);
                    break;
                case ITestFailed failed:
                    _failed.Add(failed.Test.DisplayName);
                    Print(failed.Test.DisplayName, failed);
                    break;
                case IErrorMessage error:
                    Print("outside a test", error);
                    break;
                case ITestClassCleanupFailure failure:
                    Print(failure.TestClass.Class.Name, failure);
                    break;
                case ITestAssemblyFinished:
                    AssemblyEnded.Set();
                    break;
                default:
                    break;
            }

            return true;
        }
    }

    private void Print(string what, IFailureInformation failure)
    {
        Failed++;
        Console.WriteLine($"FAILED {what}");
        foreach (string text in failure.Messages.Concat(failure.StackTraces).Where(text => text is not null))
        {
            Console.WriteLine($"  {text.ReplaceLineEndings("\n  ")}");
        }
    }
}
