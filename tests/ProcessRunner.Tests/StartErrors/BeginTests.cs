using System;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.Tests.Backends;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.StartErrors;

/// <summary>Verifies a start whose child exists and cannot be watched.</summary>
public sealed class BeginTests
{
    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Start_WhoseChildCannotBeWatched_LeavesNoFileOpen() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string input = directory.File("input", "text");
        string output = directory.At("output");
        using ProcessEngine engine = new(
            new ProcessEngineOptions { KillChildrenOnSignal = false },
            new BackendThatCannotWatch(),
            backend => new DeliveryThreads(backend));
        ProcessCommand command = new ProcessCommand("program") with
        {
            StandardInput = InputSource.FromFile(input),
            StandardOutput = OutputTarget.ToFile(output),
        };
        FluentActions.Invoking(() => command.Run(engine)).Should().Throw<ProcessStartException>()
            .Which.Step.Should().Be(ProcessStartStep.OutOfResources);
        File.Exists(output).Should().BeTrue("the file was opened");
        new DirectoryInfo("/proc/self/fd").EnumerateFiles().Select(descriptor => descriptor.LinkTarget)
            .Should().NotContain([input, output]);
    });

    private sealed class BackendThatCannotWatch : ShellBackend
    {
        public override BackendCapabilities Capabilities => default;

        public override BackendChild Create(ILaunchPlan plan, InheritedEnvironment? inherited, SlotVariable slot) =>
            new ChildThatCannotBeWatched();

        public override BackendTimer CreateTimer(Action<long> expired) => new TimerThatSleeps();

        public override LaunchException OutOfResources() => new(0, LaunchStep.OutOfResources, "there is no memory");

#pragma warning disable CA2215 // The shell throws.
        public override void Dispose()
        {
        }
#pragma warning restore CA2215
    }

    private sealed class ChildThatCannotBeWatched : ShellChild
    {
        public override void Watch(IChildEvents events, ChildStreams streams)
        {
        }

        public override void SetDeadline(long instant)
        {
        }

        public override void Start()
        {
        }

        public override void Begin() => throw new InsufficientMemoryException();

        public override ResourceUse Release() => default;
    }

    private sealed class TimerThatSleeps : BackendTimer
    {
        public override void Set(long instant)
        {
        }

        public override void Dispose()
        {
        }
    }
}
