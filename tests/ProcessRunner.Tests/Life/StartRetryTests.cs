using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Execution;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>Verifies that a start that fails for a temporary reason is retried for a short time.</summary>
public sealed class StartRetryTests
{
    private const UnixFileMode Executable = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    // A start on another thread copies the descriptor that writes the script until that start's exec.
    [Fact]
    [OnlyOn(Systems.Unix, "the modes of files")]
    public void FreshScripts_WrittenAndRunByManyThreads_AreNeverBusy() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        PlainThread[] threads = [.. Enumerable.Range(0, 20).Select(number => PlainThread.Run(() =>
        {
            for (int i = 0; i < 25; i++)
            {
                string file = directory.At($"script-{number}-{i}");
                File.WriteAllText(file, $"#!/bin/sh\nexit {i}\n");
                File.SetUnixFileMode(file, Executable);
                ProcessResult result = new ProcessCommand(file).Run();
                result.ExitCode.Should().Be(i, $"{result}");
            }
        }))];
        PlainThread.JoinAll(threads);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "ETXTBSY")]
    public void ProgramThatIsHeldOpenForWritingForAMoment_IsTriedAgain() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string program = directory.Program("program", "#!/bin/sh\nexit 7\n");

        // On a busy machine, the busy moment may have passed before the first attempt. The test then tries again.
        Eventually.Is(() => RunHeldOpen(program).StartAttempts > 1, "a busy program is tried again");
    });

    [Fact]
    [OnlyOn(Systems.Linux, "ETXTBSY")]
    public void ProgramThatStaysOpenForWriting_IsBusyInTheEndAndThatIsTransient() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string program = directory.Program("program", "#!/bin/sh\nexit 7\n");
        int descriptor = NativeMethods.Open(program, NativeMethods.O_WRONLY | NativeMethods.O_CLOEXEC);
        try
        {
            using ProcessEngine engine = new();
            Task<ProcessResult>? run = null;
            ChildLife? life = null;

            // On a busy machine, all attempts may be used up before the look.
            Eventually.Is(
                () =>
                {
                    run = new ProcessCommand(program).RunAsync(engine);
                    return (life = Internals.LivesOf(engine).SingleOrDefault()) is not null;
                },
                "the start is tried again when the call returns");
            ProcessStartException failure =
                run!.Invoking(run => run.GetAwaiter().GetResult()).Should().Throw<ProcessStartException>().Which;
            Internals.StartOf(life!).Attempts.Should().Be(12);
            (failure.Step, failure.NativeErrorCode, failure.IsTransient).Should().Be((ProcessStartStep.Busy, 26, true));
        }
        finally
        {
            _ = NativeMethods.Close(descriptor);
        }

        // A child of another test may hold a copy of the descriptor for a moment, on its way to its own program.
        Eventually.Is(() => new ProcessCommand(program).Run().StartAttempts == 1, "it is no longer busy");
    });

    [Fact]
    public void LastingFailure_IsNotTransient() => Guard.Run(() =>
    {
        Action start = () => new ProcessCommand("/does/not/exist").Run();
        start.Should().Throw<ProcessStartException>().Which.IsTransient.Should().BeFalse();
    });

    [Fact]
    [OnlyOn(Systems.Linux, "a scenario of the test host")]
    public void HostThatIsOutOfDescriptorsForAMoment_StartsItsChildLater() => Guard.Run(() =>
        HostProcess.PlayWith(HostProcess.QuietRuntime, "short-of-descriptors"));

    private static ProcessResult RunHeldOpen(string program)
    {
        int descriptor = NativeMethods.Open(program, NativeMethods.O_WRONLY | NativeMethods.O_CLOEXEC);
        descriptor.Should().BeGreaterThan(0);
        Thread closer = new(() =>
        {
            // The time suffices for the first attempt, and is much shorter than all attempts.
            Thread.Sleep(100);
            _ = NativeMethods.Close(descriptor);
        });
        closer.Start();
        ProcessResult result = new ProcessCommand(program).Run();
        closer.Join();
        result.ExitCode.Should().Be(7);
        return result;
    }
}
