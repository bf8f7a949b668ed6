using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Pipes;
using System.Linq;
using System.Text;
using System.Threading;
using FluentAssertions;
using Microsoft.Win32.SafeHandles;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams;

/// <summary>Verifies the streams of a child beyond the standard ones.</summary>
[OnlyOn(Systems.Linux, "descriptors by number, and shell scripts")]
[NativeBackend("the portable backend has no channels")]
public sealed class ChannelTests
{
    [Fact]
    public void Channels_OfAnyNumber_ArriveApartFromTheOutput() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell("echo out; echo three >&3; echo five >&5; echo err >&2")
            .WithChannel(5, OutputTarget.Capture())
            .WithChannel(3, OutputTarget.Capture())
            .Run().EnsureSuccess();
        result.StandardOutput.Text.Should().Be("out\n");
        result.StandardError.Text.Should().Be("err\n");
        result.Channels.Keys.Should().Equal(3, 5);
        result.Channels[3].Text.Should().Be("three\n");
        result.Channels[5].Text.Should().Be("five\n");
    });

    [Fact]
    public void Child_HasTheDescriptorsOfItsChannelsAndNoOther() => Guard.Run(() =>
    {
        ProcessCommand command = new ProcessCommand("ls", "/proc/self/fd")
            .WithChannel(4, OutputTarget.Capture())
            .WithChannel(63, OutputTarget.Capture());

        // ls itself opens the directory, with the lowest free number.
        command.Run().StandardOutput.Lines().Should().BeEquivalentTo("0", "1", "2", "3", "4", "63");
    });

    [Fact]
    public void Channel_OfAnySize_IsComplete_WhileTheOutputIsDrained() => Guard.Run(() =>
    {
        const int Length = 3_000_000;
        long called = 0;
        ProcessCommand command = TestPrograms.Shell(
            $"head -c {Length} /dev/zero >&3 & head -c {Length} /dev/zero >&4 & head -c {Length} /dev/zero; wait")
            .WithChannel(3, OutputTarget.Capture())
            .WithChannel(4, OutputTarget.ToBytes(bytes => Interlocked.Add(ref called, bytes.Length)));
        ProcessResult result = command.Run().EnsureSuccess();
        result.Channels[3].TotalBytes.Should().Be(Length);
        called.Should().Be(Length);
        result.StandardOutput.TotalBytes.Should().Be(Length);
    });

    [Fact]
    public void Channel_OfManyRunsAtOnce_BelongsToItsRun() => Guard.Run(() =>
    {
        IEnumerable<ProcessCommand> commands = Enumerable.Range(0, 300).Select(number =>
            TestPrograms.Shell($"echo {number} >&3").WithChannel(3, OutputTarget.Capture()));
        foreach (ProcessResult result in commands.AsParallel().WithDegreeOfParallelism(8).Select(run => run.Run()))
        {
            result.Command.Arguments[1].Should().Be($"echo {result.Channels[3].Text.Trim()} >&3");
        }
    });

    [Fact]
    public void Lines_OfAChannel_AreCalledWhileTheChildLives() => Guard.Run(() =>
    {
        using ManualResetEventSlim heard = new();
        using ChildProcess child = (TestPrograms.Shell("echo ready >&3; read answer; echo $answer") with
        {
            StandardInput = InputSource.Pipe,
        }).WithChannel(3, OutputTarget.ToLines(line =>
        {
            line.Content.Should().Be("ready");
            heard.Set();
        })).Start();
        heard.Wait();
        child.StandardInput.Write("go\n"u8);
        child.Wait().StandardOutput.Text.Should().Be("go\n");
    });

    [Fact]
    public void Callback_OfAChannelThatThrows_IsToldByTheWait() => Guard.Run(() =>
        FluentActions.Invoking(() => TestPrograms.Shell("echo x >&3")
            .WithChannel(3, OutputTarget.ToLines(_ => throw new InvalidDataException("no"))).Run())
            .Should().Throw<InvalidDataException>());

    [Fact]
    public void Channel_OverItsLimit_StopsTheChild() => Guard.Run(() =>
        TestPrograms.Shell("echo 12345 >&3; exec sleep 60")
            .WithChannel(3, OutputTarget.Capture(3, CapturePolicy.Fail)).Run()
            .Outcome.Should().Be(ProcessOutcome.OutputLimitExceeded));

    [Fact]
    public void Channel_HeldByAnotherProcess_EndsAtTheDrainGrace() => Guard.Run(() =>
    {
        ProcessResult result = (TestPrograms.Shell("exec >/dev/null 2>&1; sleep 60 & echo x >&3") with
        {
            DrainGrace = TimeSpan.FromMilliseconds(50),
            Descendants = DescendantPolicy.Report,
        }).WithChannel(3, OutputTarget.Capture()).Run();
        result.Channels[3].IsHeldOpen.Should().BeTrue();
        result.Channels[3].Text.Should().Be("x\n");
        SurvivingProcess sleeper = result.SurvivingDescendants.Should().ContainSingle().Subject;
        NativeMethods.Kill(sleeper.ProcessId, 9).Should().Be(0);
    });

    // The run is longer than the limit. A machine that stands still for as long makes the child silent indeed: then
    // another run tells.
    [Fact]
    public void Silence_EndsWithTheBytesOfAChannel() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell(
            "for i in 1 2 3 4 5 6 7 8; do echo $i >&3; sleep 0.2; done; echo end") with
        {
            IdleTimeout = TimeSpan.FromSeconds(1),
        };
        ProcessCommand observed = command.WithChannel(3, OutputTarget.Capture());
        Enumerable.Range(0, 5).Any(_ => observed.Run().Outcome == ProcessOutcome.Exited).Should().BeTrue();
    });

    [Fact]
    public void Handles_OfTheCaller_AreStreamsAndChannels() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        File.WriteAllText(directory.At("in"), "input");
        using SafeFileHandle input = File.OpenHandle(directory.At("in"));
        using SafeFileHandle three = File.OpenHandle(directory.At("in"));
        using (SafeFileHandle output = File.OpenHandle(directory.At("out"), FileMode.Create, FileAccess.Write))
        using (SafeFileHandle error = File.OpenHandle(directory.At("err"), FileMode.Create, FileAccess.Write))
        {
            ProcessCommand command = TestPrograms.Shell("cat; cat <&3 >&2") with
            {
                StandardInput = InputSource.FromHandle(input),
                StandardOutput = OutputTarget.ToHandle(output),
                StandardError = OutputTarget.ToHandle(error),
            };
            command.WithChannel(3, OutputTarget.ToHandle(three)).Run().EnsureSuccess();
            output.IsClosed.Should().BeFalse();
        }

        File.ReadAllText(directory.At("out")).Should().Be("input");
        File.ReadAllText(directory.At("err")).Should().Be("input");
    });

    // The host has low numbers free.
    [Fact]
    public void Handles_ThatHaveTheNumberOfAnotherChannel_AreNotOverwritten() =>
        Guard.Run(() => HostProcess.Play("swapped-channels"));

    [Fact]
    public void Handle_ThatIsThisProcessesOwnStream_IsNotOverwrittenByAnotherStream() => Guard.Run(() =>
    {
        using SafeFileHandle ours = new(2, ownsHandle: false);
        ProcessCommand command = TestPrograms.Shell("[ /proc/self/fd/1 -ef \"$1\" ] && echo same >&2",
            $"/proc/{Environment.ProcessId}/fd/2") with
        {
            StandardOutput = OutputTarget.ToHandle(ours),
        };
        command.Run().StandardError.Text.Should().Be("same\n");
    });

    [Fact]
    public void Pipe_OfTheCaller_CarriesBothWays() => Guard.Run(() =>
    {
        using AnonymousPipeServerStream pipe = new(PipeDirection.Out);
        using SafePipeHandle theirs = pipe.ClientSafePipeHandle;
        using ChildProcess child = TestPrograms.Shell("cat <&7")
            .WithChannel(7, OutputTarget.ToHandle(theirs)).Start();
        pipe.DisposeLocalCopyOfClientHandle();
        pipe.Write(Encoding.UTF8.GetBytes("by hand"));
        pipe.Dispose();
        child.Wait().StandardOutput.Text.Should().Be("by hand");
    });

    [Fact]
    public void Handle_ThatIsClosed_IsTheStepThatFails() => Guard.Run(() =>
    {
        SafeFileHandle closed = File.OpenHandle("/dev/null");
        closed.Dispose();
        using SafeFileHandle nothing = new(999, ownsHandle: false);
        foreach (SafeFileHandle handle in (SafeFileHandle[])[closed, nothing])
        {
            ProcessStartException failure = FluentActions
                .Invoking(() => new ProcessCommand("true").WithChannel(3, OutputTarget.ToHandle(handle)).Run())
                .Should().Throw<ProcessStartException>().Which;
            failure.Step.Should().Be(ProcessStartStep.BadHandle);
            failure.Message.Should().Contain("channel 3");
        }
    });

    [Fact]
    public void Numbers_AndTargets_ThatAreNoChannels_AreRefused()
    {
        ProcessCommand command = new("true");
        foreach (int number in (int[])[-1, 0, 2, 64])
        {
            FluentActions.Invoking(() => command.WithChannel(number, OutputTarget.Capture()))
                .Should().Throw<ArgumentOutOfRangeException>();
        }

        OutputTarget[] refused =
        [
            OutputTarget.Null, OutputTarget.Inherit, OutputTarget.MergeIntoOutput, OutputTarget.ToFile("x"),
            OutputTarget.Live(),
        ];
        foreach (OutputTarget target in refused)
        {
            FluentActions.Invoking(() => command.WithChannel(3, target)).Should().Throw<ArgumentException>();
        }
    }

    [Fact]
    public void Channels_CountForTheEqualityOfCommands()
    {
        ProcessCommand command = new("true");
        ProcessCommand with = command.WithChannel(3, OutputTarget.Capture());
        with.Should().NotBe(command).And.Be(command.WithChannel(3, OutputTarget.Capture()));
        with.GetHashCode().Should().Be(command.WithChannel(3, OutputTarget.Capture()).GetHashCode());
        (with with { Channels = new Dictionary<int, OutputTarget>() }).Should().Be(command);
    }

    [Fact]
    public void PortableBackend_RefusesChannelsAndHandles() => Guard.Run(() =>
    {
        using ProcessEngine portable = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
        using SafeFileHandle handle = File.OpenHandle("/dev/null");
        ProcessCommand command = new("true");
        ProcessCommand[] refused =
        [
            command.WithChannel(3, OutputTarget.Capture()),
            command with { StandardInput = InputSource.FromHandle(handle) },
            command with { StandardError = OutputTarget.ToHandle(handle) },
        ];
        foreach (ProcessCommand one in refused)
        {
            FluentActions.Invoking(() => one.Run(portable)).Should().Throw<PlatformNotSupportedException>();
        }
    });
}
