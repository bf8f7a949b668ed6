using System;
using System.Globalization;
using System.Linq;
using System.Threading;
using Xunit;
using Xunit.Abstractions;

namespace PTest.Hosts;

/// <summary>Turns the messages of a run into events.</summary>
/// <param name="events">Where they go.</param>
/// <param name="ids">The ids by which the runner knows the tests.</param>
/// <param name="failsSkips">Whether a skipped test has failed, which the framework leaves to its runner.</param>
internal sealed class EventSink(EventWriter events, CaseIds ids, bool failsSkips)
    : LongLivedMarshalByRefObject, IMessageSink, IDisposable
{
    private readonly LeftProcesses _left = new(events);
    private readonly OutputMarks _marks = new();
    private readonly ManualResetEventSlim _ended = new();
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
                _left.OnStarted(Id(starting.TestCase));
                events.Write(EventNames.Started, ("case", Id(starting.TestCase)), ("test", starting.Test.DisplayName));
                break;
            case ITestPassed passed:
                End(passed, OutcomeNames.Passed);
                break;
            case ITestSkipped skipped:
                End(skipped, failsSkips ? OutcomeNames.Failed : OutcomeNames.Skipped, skipped.Reason);
                break;
            case ITestFailed failed:
                End(failed, OutcomeNames.Failed, Message(failed), Stack(failed));
                break;
            case ITestFinished finished:
                _left.OnEnded(Id(finished.TestCase), finished.Test.DisplayName);
                break;
            case ITestCaseFinished finished:
                events.Write(EventNames.CaseEnded, ("case", Id(finished.TestCase)));
                break;
            case ITestCleanupFailure failure:
                Fail(failure.Test.DisplayName, Id(failure.TestCase), failure);
                break;
            case ITestCaseCleanupFailure failure:
                Fail(failure.TestCase.DisplayName, Id(failure.TestCase), failure);
                break;
            case ITestMethodCleanupFailure failure:
                ITestCase? last = failure.TestCases.LastOrDefault();
                Fail(failure.TestClass.Class.Name, last is null ? null : Id(last), failure);
                break;
            case ITestClassCleanupFailure failure:
                Fail(failure.TestClass.Class.Name, null, failure);
                break;
            case ITestCollectionCleanupFailure failure:
                Fail(failure.TestCollection.DisplayName, null, failure);
                break;
            case ITestAssemblyCleanupFailure failure:
                Fail("the assembly", null, failure);
                break;
            case IErrorMessage error:
                Fail("outside a test", null, error);
                break;
            case ITestAssemblyFinished:
                _ended.Set();
                break;
            default:
                break;
        }

        return true;
    }

    public void WaitForEnd() => _ended.Wait();

    public void Dispose()
    {
        _ended.Dispose();
        _marks.Dispose();
    }

    private string Id(ITestCase test) => ids.Of(test.UniqueID);

    private void End(ITestResultMessage result, string outcome, string? text = null, string? stack = null) =>
        events.Write(
            EventNames.Ended,
            ("case", Id(result.TestCase)),
            ("test", result.Test.DisplayName),
            ("outcome", outcome),
            ("seconds", result.ExecutionTime.ToString(CultureInfo.InvariantCulture)),
            ("message", text),
            ("stack", stack),
            ("output", result.Output is { Length: > 0 } output ? output : null),
            ("mark", _marks.Next()));

    private void Fail(string where, string? test, IFailureInformation failure) =>
        events.Write(
            EventNames.Error,
            ("case", test),
            ("test", where),
            ("message", Message(failure)),
            ("stack", Stack(failure)));

    private static string Message(IFailureInformation failure) =>
        FailureText.Message(failure.Messages, failure.ExceptionTypes);

    private static string? Stack(IFailureInformation failure) => FailureText.Stack(failure.StackTraces);
}
