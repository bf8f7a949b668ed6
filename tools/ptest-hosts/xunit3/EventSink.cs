using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Xunit.Sdk;

namespace PTest.Hosts;

/// <summary>Turns the messages of a run into events.</summary>
/// <param name="events">Where they go.</param>
/// <param name="ids">The ids by which the runner knows the tests.</param>
/// <param name="cases">The tests that run.</param>
/// <param name="failsSkips">Whether a skipped test has failed, which the framework leaves to its runner.</param>
internal sealed class EventSink(EventWriter events, CaseIds ids, IReadOnlyList<ITestCase> cases, bool failsSkips)
    : IMessageSink, IDisposable
{
    private readonly LeftProcesses _left = new(events);
    private readonly OutputMarks _marks = new();
    private readonly HashSet<string> _endedCases = [];

    // Only the start of a test has its name. The framework may report from several threads.
    private readonly Dictionary<string, string> _names = [];
    private bool _hasBegun;

    public bool OnMessage(IMessageSinkMessage message)
    {
        switch (message)
        {
            case ITestCollectionStarting when !_hasBegun:
                _hasBegun = true;
                events.Write(EventNames.CollectionStarted);
                break;
            case ITestStarting starting:
                Name(starting);
                _left.OnStarted(ids.Of(starting.TestCaseUniqueID));
                events.Write(
                    EventNames.Started,
                    ("case", ids.Of(starting.TestCaseUniqueID)),
                    ("test", starting.TestDisplayName));
                break;
            case ITestPassed passed:
                End(passed, OutcomeNames.Passed);
                break;
            case ITestSkipped skipped:
                End(skipped, failsSkips ? OutcomeNames.Failed : OutcomeNames.Skipped, skipped.Reason);
                break;
            case ITestNotRun explicitTest:
                End(explicitTest, OutcomeNames.Skipped, "it runs only if it is asked for");
                break;
            case ITestFailed failed:
                End(failed, OutcomeNames.Failed, Message(failed), Stack(failed));
                break;
            case ITestFinished finished:
                _left.OnEnded(ids.Of(finished.TestCaseUniqueID), NameOf(finished));
                break;
            case ITestCaseFinished finished:
                End(finished.TestCaseUniqueID);
                events.Write(EventNames.CaseEnded, ("case", ids.Of(finished.TestCaseUniqueID)));
                break;
            case ITestCleanupFailure failure:
                Fail(NameOf(failure), ids.Of(failure.TestCaseUniqueID), failure);
                break;
            case ITestCaseCleanupFailure failure:
                Fail(failure, cases.Where(test => test.UniqueID == failure.TestCaseUniqueID));
                break;
            case ITestMethodCleanupFailure failure:
                Fail(failure, cases.Where(test => test.TestMethod?.UniqueID == failure.TestMethodUniqueID));
                break;
            case ITestClassCleanupFailure failure:
                Fail(
                    cases.FirstOrDefault(test => test.TestClass?.UniqueID == failure.TestClassUniqueID)?.TestClassName
                        ?? "a class",
                    null,
                    failure);
                break;
            case ITestCollectionCleanupFailure failure:
                Fail(
                    cases.FirstOrDefault(test => test.TestCollection.UniqueID == failure.TestCollectionUniqueID)
                        ?.TestCollection.TestCollectionDisplayName ?? "a collection",
                    null,
                    failure);
                break;
            case ITestAssemblyCleanupFailure failure:
                Fail("the assembly", null, failure);
                break;
            case IErrorMessage error:
                Fail("outside a test", null, error);
                break;
            default:
                break;
        }

        return true;
    }

    public void Dispose() => _marks.Dispose();

    private void Name(ITestStarting starting)
    {
        lock (_names)
        {
            _names[starting.TestUniqueID] = starting.TestDisplayName;
        }
    }

    private string NameOf(ITestMessage message)
    {
        lock (_names)
        {
            return _names.TryGetValue(message.TestUniqueID, out string? name) ? name : message.TestUniqueID;
        }
    }

    private void End(ITestResultMessage result, string outcome, string? text = null, string? stack = null) =>
        events.Write(
            EventNames.Ended,
            ("case", ids.Of(result.TestCaseUniqueID)),
            ("test", NameOf(result)),
            ("outcome", outcome),
            ("seconds", result.ExecutionTime.ToString(CultureInfo.InvariantCulture)),
            ("message", text),
            ("stack", stack),
            ("output", result.Output is { Length: > 0 } output ? output : null),
            ("mark", _marks.Next()));

    private void End(string test)
    {
        lock (_endedCases)
        {
            _endedCases.Add(test);
        }
    }

    /// <summary>
    /// Reports what befell tests. xunit v3 reports a test that it cannot make, such as one with an empty name, as a
    /// failure at the end of its method. That test has no end of its own.
    /// </summary>
    private void Fail(IErrorMetadata failure, IEnumerable<ITestCase> tests)
    {
        ITestCase[] all = [.. tests];
        ITestCase[] left;
        lock (_endedCases)
        {
            left = [.. all.Where(test => !_endedCases.Contains(test.UniqueID))];
        }

        foreach (ITestCase test in left.Length > 0 ? left : all.Take(1))
        {
            Fail($"{test.TestClassName}.{test.TestMethodName}", ids.Of(test.UniqueID), failure);
        }
    }

    private void Fail(string where, string? test, IErrorMetadata failure) =>
        events.Write(
            EventNames.Error,
            ("case", test),
            ("test", where),
            ("message", Message(failure)),
            ("stack", Stack(failure)));

    private static string Message(IErrorMetadata failure) =>
        FailureText.Message(failure.Messages, failure.ExceptionTypes);

    private static string? Stack(IErrorMetadata failure) => FailureText.Stack(failure.StackTraces);
}
