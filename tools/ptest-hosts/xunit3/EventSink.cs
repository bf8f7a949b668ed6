using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Xunit.Sdk;

namespace PTest.Hosts;

/// <summary>Turns the messages of a run into events.</summary>
internal sealed class EventSink(EventWriter events) : IMessageSink
{
    private readonly LeftProcesses _left = new(events);

    // Only the start of a test has its name. The framework may report from several threads.
    private readonly Dictionary<string, string> _names = [];

    public bool OnMessage(IMessageSinkMessage message)
    {
        switch (message)
        {
            case ITestStarting starting:
                Name(starting);
                _left.OnStarted(starting.TestCaseUniqueID);
                events.Write("started", ("case", starting.TestCaseUniqueID), ("test", starting.TestDisplayName));
                break;
            case ITestPassed passed:
                End(passed, "passed");
                break;
            case ITestSkipped skipped:
                End(skipped, "skipped", skipped.Reason);
                break;
            case ITestNotRun explicitTest:
                End(explicitTest, "skipped", "it runs only if it is asked for");
                break;
            case ITestFailed failed:
                End(failed, "failed", Message(failed), Stack(failed));
                break;
            case ITestFinished finished:
                _left.OnEnded(finished.TestCaseUniqueID, NameOf(finished));
                break;
            case ITestCaseFinished finished:
                events.Write("case-ended", ("case", finished.TestCaseUniqueID));
                break;
            case ITestCleanupFailure failure:
                Fail(NameOf(failure), failure.TestCaseUniqueID, failure);
                break;
            case ITestClassCleanupFailure failure:
                Fail("a class", null, failure);
                break;
            case ITestCollectionCleanupFailure failure:
                Fail("a collection", null, failure);
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
            "ended",
            ("case", result.TestCaseUniqueID),
            ("test", NameOf(result)),
            ("outcome", outcome),
            ("seconds", result.ExecutionTime.ToString(CultureInfo.InvariantCulture)),
            ("message", text),
            ("stack", stack),
            ("output", result.Output is { Length: > 0 } output ? output : null));

    private void Fail(string where, string? test, IErrorMetadata failure) =>
        events.Write(
            "error", ("case", test), ("test", where), ("message", Message(failure)), ("stack", Stack(failure)));

    private static string Message(IErrorMetadata failure) => string.Join(
        "\n", failure.Messages.Zip(failure.ExceptionTypes, (text, type) => type is null
            || type.StartsWith("Xunit.Sdk.", StringComparison.Ordinal) ? text : $"{type}: {text}"));

    private static string? Stack(IErrorMetadata failure) =>
        string.Join("\n", failure.StackTraces.Where(trace => trace is not null)) is { Length: > 0 } text ? text : null;
}
