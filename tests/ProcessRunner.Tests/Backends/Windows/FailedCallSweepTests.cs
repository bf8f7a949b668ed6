using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Faults;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Windows;

/// <summary>
/// Repeats a run and lets another call of the system fail each time: the first, the second, and so on. Each run ends
/// with the right result or a typed error, and leaves neither a handle nor a process.
/// </summary>
[Collection(Alone.Name)]
[OnlyOn(Systems.Windows, "the faults are those of the Windows backend")]
[NativeBackend("the faults are those of the Windows backend")]
public sealed class FailedCallSweepTests
{
    private const int FileNotFound = 2;
    private const int NotEnoughMemory = 8;
    private const int NoResources = 1450;

    // A run makes some calls very often: each of the first ones fails, then fewer and fewer of them.
    private const int EachOneUntil = 6;

    private static readonly byte[] s_input = new byte[150_000];

    private static readonly Dictionary<string, int> s_errors = new()
    {
        ["AssignProcessToJobObject"] = NotEnoughMemory,
        ["CreateFileW"] = NotEnoughMemory,
        ["CreateIoCompletionPort"] = NoResources,
        ["CreateJobObjectW"] = NotEnoughMemory,
        ["CreateProcessW"] = FileNotFound,
        ["DuplicateHandle"] = NotEnoughMemory,
        ["InitializeProcThreadAttributeList"] = NotEnoughMemory,
        ["NtCreateNamedPipeFile"] = NoResources,
        ["NtOpenFile"] = NoResources,
        ["QueryInformationJobObject"] = NoResources,
        ["ReadFile"] = NoResources,
        ["RegisterWaitForSingleObject"] = NotEnoughMemory,
        ["ResumeThread"] = NotEnoughMemory,
        ["SetInformationJobObject"] = NotEnoughMemory,
        ["TerminateJobObject"] = NotEnoughMemory,
        ["UpdateProcThreadAttribute HANDLE_LIST"] = NotEnoughMemory,
        ["UpdateProcThreadAttribute JOB_LIST"] = NotEnoughMemory,
        ["WriteFile"] = NoResources,
        ["buffer"] = NotEnoughMemory,
        ["native memory"] = NotEnoughMemory,
        [FaultPoint.ManagedMemory] = NotEnoughMemory,
    };

    [Theory]
    [InlineData("capture")]
    [InlineData("input")]
    [InlineData("file")]
    [InlineData("pipeline")]
    [InlineData("stop")]
    public void Call_ThatFails_IsATypedErrorOrHarmless_AndNothingIsLeft(string run) => Guard.Run(() =>
    {
        // The first run makes what the process keeps, and tells the calls.
        ConcurrentDictionary<string, int> calls = [];
        Failure(run, call => calls.AddOrUpdate(call, 1, (_, count) => count + 1) * 0).Should().BeNull();
        calls.Should().ContainKey("CreateProcessW");
        int handles = Settled();
        foreach (string call in calls.Keys.Intersect(s_errors.Keys).Order())
        {
            for (int chosen = 1; chosen <= calls[call]; chosen += 1 + (chosen / EachOneUntil))
            {
                int count = 0;
                Exception? failure = Failure(
                    run, name => name == call && Interlocked.Increment(ref count) == chosen ? s_errors[call] : 0);
                (failure is null or ProcessStartException or OutOfMemoryException or IOException)
                    .Should().BeTrue($"call {chosen} of {call} fails: {failure}");
            }

            // Both questions take longer than a run.
            Eventually.Is(
                () => OwnChildren.Count(TestPrograms.QuickChildPath) == 0, $"no child lives after failures of {call}");
            Eventually.Is(() => Settled() <= handles, $"no handle is left after failures of {call}");
        }
    });

    private static Exception? Failure(string run, Func<string, int> decide)
    {
        using TemporaryDirectory directory = new();
        FaultPoint.Decide = decide;
        try
        {
            using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
            Play(run, engine, directory);
            return null;
        }
        catch (Exception exception) when (exception is not Xunit.Sdk.XunitException)
        {
            return exception;
        }
        finally
        {
            FaultPoint.Decide = null;
        }
    }

    // The events and threads of the runtime are closed by finalizers.
    private static int Settled()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        return OpenHandles.Count();
    }

    private static void Play(string run, ProcessEngine engine, TemporaryDirectory directory)
    {
        switch (run)
        {
            case "capture":
                TestPrograms.Quick("print", "x").Run(engine).StandardOutput.Text.Should().Be("x");
                break;

            case "input":
                ProcessCommand copy =
                    TestPrograms.Quick("stdin") with { StandardInput = InputSource.FromBytes(s_input) };
                copy.Run(engine).StandardOutput.TotalBytes.Should().Be(s_input.Length);
                break;

            case "file":
                ProcessCommand toFile = TestPrograms.Quick("print", "x") with
                {
                    StandardInput = InputSource.Null,
                    StandardOutput = OutputTarget.ToFile(directory.At("out")),
                    StandardError = OutputTarget.Null,
                };
                toFile.Run(engine).EnsureSuccess();

                // Under Wine the handles of a process live a moment longer than the process.
                using (StreamReader written = new(new FileStream(
                    directory.At("out"), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete)))
                {
                    written.ReadToEnd().Should().Be("x");
                }

                break;

            case "pipeline":
                TestPrograms.Quick("print", "x").PipeTo(TestPrograms.Quick("stdin")).Run(engine)
                    .StandardOutput.Text.Should().Be("x");
                break;

            default:
                using (ChildProcess child = TestPrograms.Quick("sleep", "1000000").Start(engine))
                {
                    child.Kill();
                    child.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
                }

                break;
        }
    }
}
