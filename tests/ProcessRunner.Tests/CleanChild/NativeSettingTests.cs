using System;
using System.Diagnostics;
using System.Runtime.Versioning;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.CleanChild;

/// <summary>
/// Verifies the settings of a child that both native backends have, against what the system tells of it and what it
/// can do.
/// </summary>
[NativeBackend("the portable backend has no such settings")]
public sealed class NativeSettingTests
{
    private const long Gigabyte = 1 << 30;

    private static readonly ProcessCommand s_sleeper =
        TestPrograms.Quick("sleep", "1000000") with { StopGrace = TimeSpan.Zero };

    // Without an end, in user mode.
    private static readonly ProcessCommand s_busy = TestPrograms.Quick("fill", $"{long.MaxValue}") with
    {
        StandardOutput = OutputTarget.Null,
        Timeout = TimeSpan.FromSeconds(60),
        StopGrace = TimeSpan.Zero,
    };

    [Theory]
    [InlineData("another name")]
    [InlineData("ä € 😀")]
    [InlineData("")]
    [InlineData(@"back\slashes")]
    public void ArgumentZero_IsTheNameThatTheProgramSees(string name) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("own-name", "echo", "a b") with { ArgumentZero = name };
        command.Run().EnsureSuccess().StandardOutput.Lines().Should().Equal(name, "a b");
    });

    [Theory]
    [NotUnderWine("a new process has the normal priority there")]
    [InlineData(ProcessPriorityClass.Idle, 19)]
    [InlineData(ProcessPriorityClass.BelowNormal, 10)]
    [InlineData(ProcessPriorityClass.Normal, 0)]
    public void Priority_IsThatOfTheChild(ProcessPriorityClass priority, int nice) => Cloned(() =>
    {
        ProcessCommand command = s_sleeper with { Priority = priority };
        if (OwnSettings.Allow(nice))
        {
            Told(command, process => process.PriorityClass).Should().Be(priority);
        }
        else
        {
            Failure(command).Step.Should().Be(ProcessStartStep.BadPriority);
        }
    });

    [Fact]
    [NotUnderWine("a job has no limits there")]
    [UnsupportedOSPlatform("macos")]
    public void Processors_AreThoseOfTheChild() => Cloned(() =>
    {
        int processor = OwnSettings.Processor;
        Told(s_sleeper with { Processors = [processor] }, process => process.ProcessorAffinity)
            .Should().Be((nint)1 << processor);
    });

    [Fact]
    public void Processor_ThatDoesNotExist_IsTheStepThatFails() => Cloned(() =>
        Failure(s_sleeper with { Processors = [8000] }).Step.Should().Be(ProcessStartStep.BadProcessors));

    [Fact]
    public void Settings_ThatSuffice_ChangeNothingElse() => Cloned(() =>
    {
        ProcessCommand command = (TestPrograms.Quick("own-name", "stdin") with
        {
            ArgumentZero = "b",
            Priority = OwnSettings.Allow(10) ? ProcessPriorityClass.BelowNormal : ProcessPriorityClass.Idle,
            Processors = [OwnSettings.Processor],
            StandardInput = InputSource.FromText("input"),
        })
            .WithLimit(LimitedResource.ProcessorTime, 1000)
            .WithLimit(LimitedResource.DataSize, 64 * Gigabyte)
            .WithLimit(LimitedResource.AddressSpace, 1000 * Gigabyte);
        if (OperatingSystem.IsWindows())
        {
            command = command.WithLimit(LimitedResource.Processes, 100);
        }

        for (int i = 0; i < 20; i++)
        {
            command.Run().EnsureSuccess().StandardOutput.Lines().Should().Equal("b", "input");
        }

        ProcessBatch.Run([command, command, command]).IsSuccess.Should().BeTrue();
    });

    [Fact]
    [NotUnderWine("a job has no limits there")]
    public void Limit_OfProcessorTime_EndsTheChild() => Cloned(() =>
    {
        ProcessResult result = s_busy.WithLimit(LimitedResource.ProcessorTime, 1).Run();
        result.IsSuccess.Should().BeFalse();
        result.Outcome.Should().NotBe(ProcessOutcome.TimedOut);
    });

    // .NET needs more than this before it runs any program.
    [Theory]
    [NotUnderWine("a job has no limits there")]
    [InlineData(LimitedResource.DataSize)]
    [InlineData(LimitedResource.AddressSpace)]
    public void Limit_OfMemory_HoldsForTheChild(LimitedResource resource) => Cloned(() =>
    {
        ProcessCommand command = TestPrograms.Child("echo", "it runs");
        command.WithLimit(resource, 2_000_000).Run().IsSuccess.Should().BeFalse();
        command.WithLimit(resource, 1000 * Gigabyte).Run().EnsureSuccess();
    });

    [Fact]
    [OnlyOn(Systems.Windows, "the user's processes count elsewhere, and not the child's")]
    [NotUnderWine("a job has no limits there")]
    public void Limit_OfProcesses_CountsTheChildAndItsDescendants() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("spawn", "echo", "it runs", "end", "wait");
        command.WithLimit(LimitedResource.Processes, 8).Run().EnsureSuccess();
        command.WithLimit(LimitedResource.Processes, 1).Run().IsSuccess.Should().BeFalse();
    });

    // The system starts a host for it in the job of the child.
    [Fact]
    [OnlyOn(Systems.Windows, "consoles of Windows")]
    [NotUnderWine("a job has no limits there")]
    public void Limit_OfProcesses_LeavesRoomForTheConsole() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("return", "0") with { GroupMode = ProcessGroupMode.Session };
        command.WithLimit(LimitedResource.Processes, 1).Run().EnsureSuccess();
    });

    [Theory]
    [OnlyOn(Systems.Windows, "Linux has these limits")]
    [InlineData(LimitedResource.OpenFiles)]
    [InlineData(LimitedResource.StackSize)]
    [InlineData(LimitedResource.CoreDumpSize)]
    public void Limit_ThatWindowsHasNot_IsRefused(LimitedResource resource) => Guard.Run(() =>
        FluentActions.Invoking(() => s_sleeper.WithLimit(resource, 64).Run())
            .Should().Throw<PlatformNotSupportedException>());

    // Where posix_spawn must start the children, such settings are refused before the start.
    private static void Cloned(Action body) => Guard.Run(() =>
    {
        if (AppContext.TryGetSwitch("ProcessRunner.UsePosixSpawn", out bool isForbidden) && isForbidden)
        {
            FluentActions.Invoking(() => (s_sleeper with { Processors = [0] }).Run())
                .Should().Throw<PlatformNotSupportedException>();
            return;
        }

        body();
    });

    private static T Told<T>(ProcessCommand command, Func<Process, T> tell)
    {
        using ChildProcess child = command.Start();
        using Process process = Process.GetProcessById(child.ProcessId);
        return tell(process);
    }

    private static ProcessStartException Failure(ProcessCommand command) =>
        FluentActions.Invoking(() => command.Run()).Should().Throw<ProcessStartException>().Which;
}
