using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>Verifies a Ctrl-C at a program with children.</summary>
[OnlyOn(Systems.Unix, "Ctrl-C is a signal to a process group")]
[NativeBackend(".NET starts a child in the group of this process")]
public sealed class InterruptTests
{
    private const string AnswersEach =
        "n=0; trap 'n=$((n + 1)); echo got $n; echo >\"$1.$n\"' INT; echo >\"$1\"; while :; do sleep 0.01; done";
    private const string EndsAtTheFirst = "trap 'echo got; exit 5' INT; echo >\"$1\"; while :; do sleep 0.01; done";

    [Fact]
    public void Interrupt_Forwarded_ReachesTheChildAndTheHostGoesOn() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using HostWithTrace host = new("host-with-interrupts", "true", directory.At("ready"), EndsAtTheFirst);
        HostWithTrace.WaitFor(directory.At("ready"));
        HostWithTrace.WaitFor(directory.At("ready.host"));
        _ = NativeMethods.Kill(host.Child.ProcessId, NativeMethods.SIGINT);
        ProcessResult result = host.Child.Wait();
        result.StandardOutput.Lines().Should().Equal("got", "Exited", "None", "5", "none");
        result.ExitCode.Should().Be(0);
    });

    // The terminal has already sent the child the signal.
    [Fact]
    public void Interrupt_Forwarded_PassesByAChildInOurGroup() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        using ChildProcess child =
            (new ProcessCommand("sleep", "1000") with { GroupMode = ProcessGroupMode.Inherit }).Start(engine);
        Internals.LivesOf(engine).Single().TryInterrupt().Should().BeTrue();
        child.Stop().SignalNumber.Should().Be(15);
    });

    [Fact]
    public void SecondInterrupt_KillsTheChildAndTheHostTellsSo() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using HostWithTrace host = new("host-with-interrupts", "true", directory.At("ready"), AnswersEach);
        HostWithTrace.WaitFor(directory.At("ready"));
        HostWithTrace.WaitFor(directory.At("ready.host"));
        _ = NativeMethods.Kill(host.Child.ProcessId, NativeMethods.SIGINT);
        HostWithTrace.WaitFor(directory.At("ready.1"));
        _ = NativeMethods.Kill(host.Child.ProcessId, NativeMethods.SIGINT);
        ProcessResult result = host.Child.Wait();
        result.StandardOutput.Lines().Should().Equal("got 1", "Canceled", "Interrupt", "none", "9");
        result.ExitCode.Should().Be(0);
    });

    [Fact]
    public void Interrupt_IsTheFirstOfALaterChild_WhateverItsPredecessorGot() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using HostWithTrace host = new("host-with-children-in-turn", directory.At("ready"), EndsAtTheFirst);
        foreach (string ready in (string[])["ready.0", "ready.1"])
        {
            HostWithTrace.WaitFor(directory.At(ready));
            HostWithTrace.WaitFor(directory.At(ready + ".host"));
            _ = NativeMethods.Kill(host.Child.ProcessId, NativeMethods.SIGINT);
        }

        host.Child.Wait().StandardOutput.Lines().Should().Equal("Exited None 5", "Exited None 5");
    });

    [Fact]
    public void Interrupt_WithoutALiveChild_EndsTheHostAsUsual() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using HostWithTrace host = new(
            "host-with-interrupts", "true", directory.At("ready"), EndsAtTheFirst, directory.At("idle"));
        HostWithTrace.WaitFor(directory.At("ready"));
        HostWithTrace.WaitFor(directory.At("ready.host"));
        _ = NativeMethods.Kill(host.Child.ProcessId, NativeMethods.SIGINT);
        HostWithTrace.WaitFor(directory.At("idle"));
        _ = NativeMethods.Kill(host.Child.ProcessId, NativeMethods.SIGINT);
        ProcessResult result = host.Child.Wait();
        (result.SignalNumber == 2 || result.ExitCode == 130).Should().BeTrue($"{result}");
    });

    // The signal goes to the whole group of the host, as from a terminal.
    [Fact]
    public void Interrupt_WithoutTheOption_EndsTheHostAndKillsItsChild_WhichDoesNotGetIt() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using HostWithTrace host = new("host-with-interrupts", "false", directory.At("ready"), AnswersEach);
        HostWithTrace.WaitFor(directory.At("ready"));
        HostWithTrace.WaitFor(directory.At("ready.host"));
        _ = NativeMethods.Kill(-host.Child.ProcessId, NativeMethods.SIGINT);
        ProcessResult result = host.Child.Wait();
        (result.SignalNumber == 2 || result.ExitCode == 130).Should().BeTrue($"{result}");
        Eventually.Is(() => host.Trace.Live().Count == 0, "the child is gone, too");
        File.Exists(directory.At("ready.1")).Should().BeFalse();
    });
}
