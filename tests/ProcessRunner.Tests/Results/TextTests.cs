using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Results;

/// <summary>Verifies the texts of the objects that a debugger shows.</summary>
public sealed class TextTests
{
    [Fact]
    public void Child_TellsItsIdAndThenItsEnd() => Guard.Run(() =>
    {
        using ChildProcess child = (TestPrograms.Quick("stdin-length", "return", "3") with
        {
            StandardInput = InputSource.Pipe,
        }).Start();
        child.ToString().Should().Be($"{child.Command}: runs as {child.ProcessId}");
        child.StandardInput.Close();
        child.Wait();
        child.ToString().Should().Be($"{child.Command}: Exited, exit code 3");
    });

    [Fact]
    public void Executor_TellsItsNameAndItsRun() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("name", TestPrograms.Quick("return", "3"));
        executor.ToString().Should().Be($"name: {executor.Command}: not run yet");
        executor.Run();
        executor.Wait();
        executor.ToString().Should().Be($"name: {executor.Command}: Exited, exit code 3");
    });

    [Fact]
    public void Engine_TellsItsChildren() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        TestPrograms.Quick().Run(engine);
        engine.ToString().Should().Be($"{engine.Backend}: 0 of 1 children run");
    });

    [Fact]
    public void PublicType_HasATextOfItsOwnForDebuggers() =>
        typeof(ProcessCommand).Assembly.GetExportedTypes()
            .Where(type => !type.IsEnum
                && !(type.IsAbstract && type.IsSealed)
                && !type.IsAssignableTo(typeof(Exception))
                && !type.IsAssignableTo(typeof(Delegate)))
            .Where(type => !type.GetCustomAttributes<DebuggerDisplayAttribute>(inherit: true).Any()
                || (!type.IsAbstract && !IsWritten(type.GetMethod(nameof(ToString), [])!)))
            .Should().BeEmpty();

    [Fact]
    public void Settings_AreToldIfTheyAreNotTheDefault()
    {
        ProcessCommand command = new("a", "b");
        Dictionary<object, string> texts = new()
        {
            [new BatchItem(command)] = "a b",
            [new BatchItem(command) { Slots = 2, Group = "g", Tag = 5, Retry = new BatchRetry { Count = 1 } }] =
                "a b, 2 slots, group g, tag 5, 1 retry",
            [new BatchItem<string>(command, "t")] = "a b, tag t",
            [new BatchOptions { MaxConcurrency = 3 }] = "3 at once",
            [new BatchOptions
            {
                MaxConcurrency = 3,
                GroupLimits = new Dictionary<string, int> { ["y"] = 2, ["x"] = 1 },
                Order = BatchOrder.LongestFirst,
                OnFirstFailure = BatchFailureAction.StopStarting,
                Timeout = TimeSpan.FromSeconds(9),
            }] = "3 at once, 1 of x, 2 of y, LongestFirst, StopStarting after a failure, limit 00:00:09",
            [new BatchRetry { Count = 2, Delay = TimeSpan.FromSeconds(1), Factor = 1.5, Jitter = 0.5 }] =
                "2 retries, after 00:00:01, times 1.5, jitter 0.5",
            [new LineOptions { MaxLength = 9, Separator = "\0", PromptDelay = TimeSpan.FromSeconds(1) }] =
                "up to 9 characters, separated by \\0, prompts after 00:00:01",
            [new ProcessEngineOptions
            {
                ReactorCount = 2,
                CaptureBudget = 7,
                Secrets = ["x"],
                ForwardInterrupt = true,
            }] = "Auto, 2 I/O threads, 7 bytes for captures, ForwardInterrupt, 1 secret",
            [new OutputLine("x", IsError: true, default)] = "x",
            [new ResourceLimit(1, 2)] = "1, hard 2",
            [ResourceLimit.None] = "none",
            [new StopStep(PosixSignal.SIGINT, TimeSpan.FromSeconds(1))] = "SIGINT, then 00:00:01",
            [new StopNotice(command, 3, StopCause.Timeout)] = "a b: stop of 3 (Timeout)",
            [new SurvivingProcess(3, "x y")] = "3: x y",
            [new RunningItem(new BatchItem(command), 0, 0, TimeSpan.FromSeconds(1)) { ProcessId = 3 }] =
                "a b: runs as 3, for 00:00:01",
        };
        texts.Should().AllSatisfy(text => text.Key.ToString().Should().Be(text.Value));
    }

    [Fact]
    public void BatchResult_TellsTheExceptionOfACallback()
    {
        ProcessCommand command = new("a") { Secrets = ["hush"] };
        BatchResult.Create(new BatchItem(command), new ProcessResult(command), new FormatException("no hush number"))
            .ToString().Should().Be("a: Exited, exit code 0: no *** number");
    }

    private static bool IsWritten(MethodInfo method) =>
        method.DeclaringType!.Assembly == typeof(ProcessCommand).Assembly
        && method.GetCustomAttribute<CompilerGeneratedAttribute>() is null;

    [Fact]
    public void Batch_TellsItsCounts() => Guard.Run(() =>
    {
        BatchResults batch = ProcessBatch.Enumerate([TestPrograms.Quick(), TestPrograms.Quick("return", "3")]);
        batch.Count().Should().Be(2);
        batch.ToString().Should().Be("1 passed, 1 failed, 0 running, 0 queued, 0 not started");
    });
}
