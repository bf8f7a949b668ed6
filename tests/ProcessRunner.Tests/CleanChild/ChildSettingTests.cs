using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.CleanChild;

/// <summary>Verifies who a child is, and what it may use, against what the child itself sees.</summary>
[OnlyOn(Systems.Linux, "nice values, limits and users of Linux")]
[NativeBackend("the portable backend has no such settings")]
public sealed class ChildSettingTests
{
    private static readonly bool s_isRoot = Environment.UserName == "root";

    [Fact]
    public void ArgumentZero_IsTheNameThatTheProgramSees() => Guard.Run(() =>
    {
        ProcessCommand command = new("sh", "-c", "tr '\\0' '|' </proc/$$/cmdline") { ArgumentZero = "another name" };
        command.Run().StandardOutput.Text.Should().StartWith("another name|-c|");
    });

    [Fact]
    public void Bytes_ThatAreNoText_ArriveAsTheyAre() => Guard.Run(() =>
    {
        byte[] bytes = [0x66, 0xFF, 0xC3, 0xA4, 0x80, 0xF0, 0x9F, 0x98, 0x80, 0xED, 0xB2, 0x80];
        string text = ProcessCommand.TextOf(bytes);
        ProcessCommand command = TestPrograms.Shell("printf %s \"$1\"; printf %s \"$VALUE\" >&2", text)
            .WithEnvironment("VALUE", text);
        ProcessResult result = command.Run();
        result.StandardOutput.Bytes.FirstSpan.ToArray().Should().Equal(bytes);
        result.StandardError.Bytes.FirstSpan.ToArray().Should().Equal(bytes);
    });

    [Fact]
    public void Nice_AndPriority_AreTheValueOfTheChild() => Cloned(() =>
    {
        // Only a right allows a child a lower value than this process has.
        int own = OwnSettings.Nice;
        ProcessCommand command = TestPrograms.Shell("cut -d ' ' -f 19 /proc/self/stat");
        int higher = Math.Min(own + 7, 19);
        Told(command with { Nice = higher }).Should().Be($"{higher}");
        ProcessCommand belowNormal = command with { Priority = ProcessPriorityClass.BelowNormal };
        if (OwnSettings.Allow(10))
        {
            Told(belowNormal).Should().Be("10");
        }
        else
        {
            Failure(belowNormal).Step.Should().Be(ProcessStartStep.BadPriority);
        }

        higher = Math.Min(own + 3, 19);
        Told(command with { Nice = higher, Priority = ProcessPriorityClass.Idle }).Should().Be($"{higher}");
        Told(command).Should().Be($"{own}", "this process keeps its own");
    });

    [Fact]
    public void Processors_AreThoseOfTheChild() => Cloned(() =>
    {
        ProcessCommand command = TestPrograms.Shell("grep Cpus_allowed_list /proc/self/status");
        int processor = OwnSettings.Processor;
        Told(command with { Processors = [processor] }).Should().EndWith($"\t{processor}");
        Failure(command with { Processors = [8000] }).Step.Should().Be(ProcessStartStep.BadProcessors);
    });

    [Fact]
    public void Limits_AreThoseOfTheChild() => Cloned(() =>
    {
        ProcessCommand command = TestPrograms.Shell(
            "grep -E 'open files|core file|cpu time|file size|stack|address|data|locked|processes' /proc/self/limits")
            .WithLimit(LimitedResource.OpenFiles, new ResourceLimit(64, 128))
            .WithLimit(LimitedResource.CoreDumpSize, 0)
            .WithLimit(LimitedResource.ProcessorTime, new ResourceLimit(100, 200))
            .WithLimit(LimitedResource.FileSize, 1_000_000_000)
            .WithLimit(LimitedResource.StackSize, 8_388_608)
            .WithLimit(LimitedResource.AddressSpace, 2_000_000_000_000)
            .WithLimit(LimitedResource.DataSize, 1_000_000_000_000);
        string[] words = Told(command).Split(' ', StringSplitOptions.RemoveEmptyEntries);
        string limits = string.Join(' ', words);
        limits.Should().Contain("Max open files 64 128").And.Contain("Max core file size 0 0")
            .And.Contain("Max cpu time 100 200").And.Contain("Max file size 1000000000 1000000000")
            .And.Contain("Max stack size 8388608 8388608").And.Contain("Max address space 2000000000000 2000000000000")
            .And.Contain("Max data size 1000000000000 1000000000000");
    });

    [Fact]
    public void Limit_OfProcessorTime_EndsTheChild() => Cloned(() =>
    {
        ProcessResult result = TestPrograms.Shell("while :; do :; done")
            .WithLimit(LimitedResource.ProcessorTime, new ResourceLimit(1, 2)).Run();
        result.SignalNumber.Should().Be(24, "SIGXCPU");
    });

    [Fact]
    public void FileModeMask_DecidesTheRightsOfNewFiles() => Cloned(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command = TestPrograms.Shell("echo x >\"$1\"", directory.At("made")) with
        {
            FileModeMask = (UnixFileMode)0b000_111_111,
        };
        command.Run().EnsureSuccess();
        File.GetUnixFileMode(directory.At("made")).Should().Be(UnixFileMode.UserRead | UnixFileMode.UserWrite);
        ProcessCommand toFile = new ProcessCommand("echo", "x") with
        {
            FileModeMask = (UnixFileMode)0b000_111_111,
            StandardOutput = OutputTarget.ToFile(directory.At("written")),
        };
        toFile.Run().EnsureSuccess();
        File.GetUnixFileMode(directory.At("written")).Should().Be(UnixFileMode.UserRead | UnixFileMode.UserWrite);
    });

    [Fact]
    public void Identity_IsThatOfTheChild_OrTheStepThatFails() => Cloned(() =>
    {
        ProcessCommand command = TestPrograms.Shell("id -u; id -g; id -G") with
        {
            Identity = new ProcessIdentity(65534, 65533, 65532, 65531),
        };
        if (!s_isRoot)
        {
            Failure(command).Step.Should().Be(ProcessStartStep.BadIdentity);
            return;
        }

        command.Run().StandardOutput.Lines().Should().Equal("65534", "65533", "65533 65531 65532");
        IsDumpable().Should().BeTrue("a child that becomes another user must not change this process");
        Told(TestPrograms.Shell("id -un") with { Identity = ProcessIdentity.OfUser("nobody") }).Should().Be("nobody");
        Told(TestPrograms.Shell("grep CapEff /proc/self/status") with { Identity = ProcessIdentity.OfUser("nobody") })
            .Should().EndWith("0000000000000000");
    });

    [Fact]
    public void Identity_OfManyStartsAtOnce_LeavesThisProcessDumpable() => Cloned(() =>
    {
        ProcessCommand command = new ProcessCommand("id", "-u") { Identity = new ProcessIdentity(65534, 65534) };
        if (s_isRoot)
        {
            Enumerable.Range(0, 100).AsParallel().WithDegreeOfParallelism(8)
                .Select(_ => Told(command)).Should().AllBe("65534");
            IsDumpable().Should().BeTrue();
        }
    });

    [Fact]
    public void Identity_ThatMayNotEnterOrWrite_IsToldByTheStep() => Cloned(() =>
    {
        using TemporaryDirectory directory = new();
        File.SetUnixFileMode(directory.Path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        ProcessCommand command = new("true") { Identity = new ProcessIdentity(65534, 65534) };
        if (s_isRoot)
        {
            Failure(command with { WorkingDirectory = directory.Path }).Step.Should().Be(ProcessStartStep.BadDirectory);
            Failure(command with { StandardOutput = OutputTarget.ToFile(directory.At("no")) })
                .Step.Should().Be(ProcessStartStep.BadStreamFile);
        }
    });

    [Fact]
    public void User_ThatDoesNotExist_IsTheStepThatFails() => Cloned(() =>
    {
        ProcessStartException failure =
            Failure(new ProcessCommand("true") { Identity = ProcessIdentity.OfUser("no-such-user") });
        failure.Step.Should().Be(ProcessStartStep.BadIdentity);
        failure.Message.Should().Contain("'no-such-user'");
    });

    [Fact]
    public void User_ThatDoesNotExist_CostsNoMemory() => Cloned(() => HostProcess.Play("unknown-user"));

    [Fact]
    public void Right_ThatIsMissing_IsToldByTheStep() => Cloned(() =>
    {
        HostProcess.Play("missing-right");
        ProcessStartException failure =
            Failure(new ProcessCommand("true").WithLimit(LimitedResource.OpenFiles, long.MaxValue));
        failure.Step.Should().Be(ProcessStartStep.BadLimit);
        failure.Message.Should().Contain($"OpenFiles {long.MaxValue}");
    });

    [Fact]
    public void ProcessGroupId_IsTheGroupThatTheChildJoins_AndAKillLeavesIt() => Guard.Run(() =>
    {
        using ChildProcess leader = (TestPrograms.Child("sleep", "100000") with
        {
            GroupMode = ProcessGroupMode.Own,
        }).Start();
        int group = leader.ProcessId;
        ProcessCommand command = new("sleep", "1000") { ProcessGroupId = group };
        using ChildProcess member = command.Start();
        ProcFs.LiveMembers(group).Select(entry => entry.Id).Should().BeEquivalentTo([group, member.ProcessId]);
        member.Stop();
        leader.IsRunning.Should().BeTrue();
        leader.Kill();
        leader.Wait();
        Failure(new ProcessCommand("true") { ProcessGroupId = group }).Step.Should().Be(ProcessStartStep.BadGroup);
    });

    // Where posix_spawn must start the children, such settings are refused before the start.
    private static void Cloned(Action body) => Guard.Run(() =>
    {
        if (AppContext.TryGetSwitch("ProcessRunner.UsePosixSpawn", out bool isForbidden) && isForbidden)
        {
            FluentActions.Invoking(() => (new ProcessCommand("true") with { Nice = 19 }).Run())
                .Should().Throw<PlatformNotSupportedException>();
            return;
        }

        body();
    });

    private static string Told(ProcessCommand command) =>
        command.Run().EnsureSuccess().StandardOutput.Text.TrimEnd('\n');

    private static ProcessStartException Failure(ProcessCommand command) =>
        FluentActions.Invoking(() => command.Run()).Should().Throw<ProcessStartException>().Which;

    // The owner of the files in /proc/self is root if the process is not dumpable, which proves nothing for root.
    private static bool IsDumpable() => NativeMethods.ProcessControl(3, 0, 0, 0, 0) == 1;
}
