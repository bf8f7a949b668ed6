using System.Linq;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Tools;

/// <summary>Verifies the endings of the tool's runs and their exit codes.</summary>
[OnlyOn(Systems.Unix, "signals to the tool, and its commands are of Unix")]
public sealed class BatchEndingTests
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 1)]
    [InlineData(100, 100)]
    [InlineData(101, 101)]
    [InlineData(120, 101)]
    public void ExitCode_IsTheNumberOfFailedJobs_Until100(int failures, int expected) => Guard.Run(() =>
    {
        string items = string.Join('\n', Enumerable.Range(1, 125).Select(n => n <= failures ? "false" : "true"));
        BatchProgram.RunWithInput(items, "-j4", "{}").ExitCode.Should().Be(expected);
    });

    [Fact]
    public void Failures_AreSummedUpWithTheirExitCodes() => Guard.Run(() =>
    {
        ProcessResult result =
            BatchProgram.Run("-j1", "--shell", "exit {}", ":::", "0", "3", "1", "1", "1", "1", "1", "1");
        result.ExitCode.Should().Be(7);
        result.StandardError.Lines()[0].Should().Be("batch: 7 of 8 jobs failed.");
        result.StandardError.Lines()[1].Should().Be("  job 2, exit code 3: exit 3");
        result.StandardError.Lines()[result.StandardError.Lines().Count - 1].Should().StartWith("  and 2 more");
    });

    [Fact]
    public void Command_ThatCannotBeStarted_IsAFailedJobWithAMessage() => Guard.Run(() =>
    {
        ProcessResult result = BatchProgram.Run("{}", "x", ":::", "echo", "no-such-program");
        result.ExitCode.Should().Be(1);
        result.StandardOutput.Text.Should().Be("x\n");
        result.StandardError.Text.Should().Contain("job 2: Cannot start 'no-such-program'").And.NotContain("   at ");
    });

    [Fact]
    public void CommandLine_AsOneWord_IsToldToNeedAShell() => Guard.Run(() =>
        BatchProgram.Run("echo {} | wc", ":::", "x").StandardError.Text
            .Should().Contain("job 1: there is no program 'echo x | wc': a command line for a shell needs --shell"));

    [Fact]
    public void Timeout_StopsTheJobThatTakesLonger_AndKeepsItsOutput() => Guard.Run(() => LongerLimits.Until(limit =>
    {
        ProcessResult result = BatchProgram.Run(
            "-j2", "--timeout", $"{limit.TotalMilliseconds}ms", "--shell", "echo {}; sleep {}", ":::", "1000", "0");
        result.ExitCode.Should().Be(1);
        result.StandardOutput.Text.Should().Be("1000\n0\n");
        result.StandardError.Text.Should().Contain("job 1: timed out after ");
    }));

    [Theory]
    [InlineData("2", 0)]
    [InlineData("1", 1)]
    public void Retries_RunAJobThatFailedAgain(string retries, int expected) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string count = directory.At("count");
        const string SucceedsAtTheThird = "echo x >>{}; [ $(wc -l <{}) -ge 3 ] && echo done";
        ProcessResult result = BatchProgram.Run(
            "--retries", retries, "--retry-delay", "10ms", "--shell", SucceedsAtTheThird, ":::", count);
        result.ExitCode.Should().Be(expected);
        result.StandardOutput.Text.Should().Be(expected == 0 ? "done\n" : "");
    });

    [Theory]
    [InlineData("never", "12345678", 4)]
    [InlineData("soon,fail=1", "12", 7)]
    [InlineData("soon,fail=2", "1234", 2)]
    [InlineData("soon,fail=50%", "123456", 3)]
    public void Halt_StartsNoMore_OnceEnoughHaveFailed(string when, string started, int expected) => Guard.Run(() =>
    {
        ProcessResult result = BatchProgram.Run(
            "-j1", "--halt", when, "--shell", "printf {}; exit $(({} % 2 ? 0 : 7))", ":::", "1", "2", "3", "4", "5",
            "6", "7", "8");
        result.StandardOutput.Text.Should().Be(started);
        result.ExitCode.Should().Be(expected);
    });

    [Theory]
    [InlineData("now,fail=1", 7)]
    [InlineData("now,fail=2", 2)]
    public void HaltNow_StopsWhatRuns(string when, int expected) => Guard.Run(() =>
    {
        ProcessResult result = BatchProgram.Run(
            "-j3", "--halt", when, "--shell", "echo {}; sleep {}; exit 7", ":::", "1000", "0", "0", "1000", "1000",
            "1000", "1000");
        result.ExitCode.Should().Be(expected);
        result.StandardError.Text.Should().Contain("halted").And.Contain("stopped");
    });

    // The budget of the captures is a quarter of the heap. What exceeds it goes to a temporary file.
    [Theory]
    [InlineData("now,fail=1", 126)]
    [InlineData("never", 1)]
    public void JobWhoseOutputIsLost_HasFailed_AndSaysSo(string when, int expected) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string log = directory.At("log");
        ProcessCommand command = BatchProgram.Command(
            "--halt", when, "--joblog", log, TestPrograms.TestChildPath, "fill", ":::", "30000000");
        ProcessResult result = command
            .WithEnvironment("DOTNET_GCHeapHardLimit", "0x4000000")
            .WithEnvironment("TMPDIR", directory.At("missing"))
            .Run();
        result.ExitCode.Should().Be(expected);
        result.StandardError.Text.Should().Contain("  job 1, its output is lost: ");
        System.IO.File.ReadLines(log).Last().Split('\t')[6].Should().Be("126");
    });

    [NativeBackend(".NET passes on what this process ignores, as a background job of a shell ignores SIGINT")]
    [Theory]
    [InlineData(PosixSignal.SIGINT, 130, "interrupted")]
    [InlineData(PosixSignal.SIGTERM, 143, "terminated")]
    [InlineData(PosixSignal.SIGHUP, 143, "terminated")]
    public void Interrupt_StopsWhatRuns_AndPrintsWhatIsKnown(
        PosixSignal signal, int expected, string word) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessResult result = Signaled(directory, signal, "echo begun; touch ready; sleep 1000");
        result.ExitCode.Should().Be(expected);
        result.StandardOutput.Text.Should().Be("begun\n");
        result.StandardError.Text.Should().Be($"batch: {word}: 0 of 1 job failed, 1 stopped.\n");
    });

    [Fact]
    public void SecondInterrupt_Kills() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessResult result = Signaled(
            directory,
            PosixSignal.SIGINT,
            "trap 'touch stopping' TERM; touch ready; while :; do sleep 0.01; done",
            "stopping");
        result.ExitCode.Should().Be(130);
    });

    // The tool waits for its reader, so that nothing but the second signal can end it.
    [NativeBackend(".NET passes on what this process ignores, as a background job of a shell ignores SIGINT")]
    [Theory]
    [InlineData(PosixSignal.SIGTERM)]
    [InlineData(PosixSignal.SIGHUP)]
    public void SecondSignal_EndsTheTool_EvenIfItsOutputHasNoReader(PosixSignal signal) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        const string Job =
            "if [ {} = 1 ]; then yes | head -c 4000000; touch written; else trap 'touch stopping; exit' TERM; "
            + "until [ -e written ]; do sleep 0.01; done; touch ready; while :; do sleep 0.01; done; fi";
        ProcessCommand command = BatchProgram.Command("-j2", "--shell", Job, ":::", "1", "2") with
        {
            WorkingDirectory = directory,
            StandardOutput = OutputTarget.Live(),
        };
        using ChildProcess batch = command.Start();
        Eventually.Is(() => System.IO.File.Exists(directory.At("ready")), "the second job runs");
        batch.Signal(signal);
        Eventually.Is(() => System.IO.File.Exists(directory.At("stopping")), "the first signal has come");
        batch.Signal(signal);
        batch.Wait().Signal.Should().Be(signal);
    });

    [Fact]
    public void Interrupt_WhileTheInputIsSilent_EndsTheRun() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command = BatchProgram.Command("--shell", "touch ready; : {}") with
        {
            WorkingDirectory = directory,
            StandardInput = InputSource.Pipe,
        };
        using ChildProcess batch = command.Start();
        batch.StandardInput.Write("x\n"u8);
        batch.StandardInput.Flush();
        Eventually.Is(() => System.IO.File.Exists(directory.At("ready")), "the job runs");
        batch.Signal(PosixSignal.SIGINT);
        batch.Wait().ExitCode.Should().Be(130);
    });

    private static ProcessResult Signaled(
        TemporaryDirectory directory, PosixSignal signal, string script, string? second = null)
    {
        ProcessCommand command = BatchProgram.Command("-j1", "--shell", $"{script}; : {{}}", ":::", "1", "2") with
        {
            WorkingDirectory = directory,
        };
        using ChildProcess batch = command.Start();
        Eventually.Is(() => System.IO.File.Exists(directory.At("ready")), "the job runs");
        batch.Signal(signal);
        if (second is not null)
        {
            Eventually.Is(() => System.IO.File.Exists(directory.At(second)), "the first signal has come");
            batch.Signal(signal);
        }

        return batch.Wait();
    }
}
