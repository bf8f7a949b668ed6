using System.Globalization;
using System.IO;
using System.IO.Pipes;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Backends.Linux;
using ProcessRunner.Tests.Life;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies batches in programs with limits, with a jobserver, and at a terminal's Ctrl-C.</summary>
[OnlyOn(Systems.Linux, "signals to a host, and /proc")]
[NativeBackend(".NET starts a child in the group of this process")]
public sealed class BatchInHostTests
{
    [Fact]
    public void DescriptorLimit_DelaysChildren_AndFailsNone() =>
        Guard.Run(() => HostProcess.PlayWith(HostProcess.QuietRuntime, "batch-at-descriptor-limit", "2000"));

    // Only the superuser can become an ordinary user, whom the limit applies to.
    [TheoryWithRight(Right.Superuser)]
    [InlineData("60")]
    [InlineData("100")]
    public void ProcessLimit_DelaysChildren_AndFailsNone(string limit) => Guard.Run(() =>
        HostProcess.Play("batch-at-process-limit", limit));

    [Theory]
    [InlineData("fifo", "run")]
    [InlineData("descriptors", "run")]
    [InlineData("fifo", "kill")]
    [InlineData("fifo", "stop")]
    [InlineData("descriptors", "stop")]
    [InlineData("fifo", "leave")]
    [InlineData("none", "unlimited")]
    [InlineData("closed", "unlimited")]
    [InlineData("negative", "unlimited")]
    public void Jobserver_LimitsWhatRuns_AndGetsItsTokensBack(
        string form, string mode) => Guard.Run(() => SteadyClock.During(() =>
    {
        using TemporaryDirectory directory = new();
        string fifo = directory.Fifo("jobs");
        string auth = form switch
        {
            "fifo" => $"--jobserver-auth=fifo:{fifo}",
            "descriptors" => "--jobserver-auth=7,7",
            "closed" => "--jobserver-auth=98,99",
            "negative" => "--jobserver-auth=-2,-2",
            _ => "",
        };
        HostProcess.PlayWith(
            $"exec 7<>'{fifo}'; printf ab+ >&7; MAKEFLAGS='rR -j4 {auth}' exec \"$@\"",
            "batch-with-jobserver",
            "ab+",
            mode);
    }));

    // A descriptor that has reused a number since make closed it does not hold tokens, and neither does a file of that
    // name.
    [Theory]
    [InlineData("8,8")]
    [InlineData("fifo:{0}")]
    public void Jobserver_ThatIsAFile_IsLeftAlone(string form) => Guard.Run(() => SteadyClock.During(() =>
    {
        using TemporaryDirectory directory = new();
        string file = directory.File("file", "abcdefghijklmnopqrstuvwxyz");
        string fifo = directory.Fifo("pipe");
        string auth = string.Format(CultureInfo.InvariantCulture, form, file);
        HostProcess.PlayWith(
            $"exec 7<>'{fifo}' 8<>'{file}'; printf ab+ >&7; MAKEFLAGS='--jobserver-auth={auth}' exec \"$@\"",
            "batch-with-jobserver",
            "ab+",
            "unlimited");
        File.ReadAllText(file).Should().Be("abcdefghijklmnopqrstuvwxyz");
    }));

    [Theory]
    [InlineData("", null)]
    [InlineData("rRs -j8", null)]
    [InlineData("--jobserver-auth=fifo:/tmp/GMfifo12", "/tmp/GMfifo12")]
    [InlineData(" -j4 --jobserver-auth=fifo:/a -- X=1", "/a")]
    [InlineData("--jobserver-auth=fifo:/a --jobserver-auth=fifo:/b", "/b")]
    [InlineData("--jobserver-auth=-2,-2", null)]
    [InlineData("--jobserver-auth=1", null)]
    [InlineData("--jobserver-auth=1,x", null)]
    [InlineData("--jobserver-auth=", null)]
    [InlineData("--jobserver-auth=1,2,3", null)]
    [InlineData("--jobserver-auth=9998,9999", null)]
    [InlineData("X=--jobserver-auth=fifo:/a", null)]
    public void PathOfTheJobserver_IsFoundInMakeflags(string makeFlags, string? path) =>
        Jobserver.PathIn(makeFlags).Should().Be(path);

    [Fact]
    public void DescriptorsOfTheJobserver_AreTaken_IfTheyAreAnInheritedPipe()
    {
        using AnonymousPipeServerStream pipe = new(PipeDirection.In, HandleInheritability.Inheritable);
        string inherited = pipe.GetClientHandleAsString();
        nint own = pipe.SafePipeHandle.DangerousGetHandle();
        Jobserver.PathIn($"--jobserver-auth={inherited},{inherited}").Should().Be($"/proc/self/fd/{inherited}");
        Jobserver.PathIn($"--jobserver-fds={inherited},{inherited} -j").Should().Be($"/proc/self/fd/{inherited}");
        Jobserver.PathIn($"--jobserver-auth={own},{own}").Should().BeNull("the runtime made it close-on-exec");
    }

    [Fact]
    public void Interrupt_StopsTheBatchByItsLadder_AndASecondOneAfterItEndsTheHost() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using HostWithTrace host = new(
            "batch-with-interrupts", directory.At("ready"), directory.At("idle"), "echo >\"$1\"; exec sleep 1000");
        HostWithTrace.WaitFor(directory.At("ready.1"));
        HostWithTrace.WaitFor(directory.At("ready.2"));
        Interrupt(host);
        HostWithTrace.WaitFor(directory.At("idle"));
        Interrupt(host);
        ProcessResult result = host.Child.Wait();
        result.StandardOutput.Lines().Should().Equal(
            "0 Exited None 0 none", "1 Canceled Interrupt none 15", "2 Canceled Interrupt none 15", "Interrupt");
        (result.SignalNumber == 2 || result.ExitCode == 130).Should().BeTrue($"{result} {host.Report}");
    });

    [Fact]
    public void SecondInterrupt_KillsThoseThatIgnoreTheFirst() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using HostWithTrace host = new(
            "batch-with-interrupts",
            directory.At("ready"),
            directory.At("idle"),
            "trap 'echo >\"$1\".term' TERM; echo >\"$1\"; while :; do sleep 0.01; done");
        HostWithTrace.WaitFor(directory.At("ready.1"));
        HostWithTrace.WaitFor(directory.At("ready.2"));
        Interrupt(host);
        HostWithTrace.WaitFor(directory.At("ready.1.term"));
        HostWithTrace.WaitFor(directory.At("ready.2.term"));
        Interrupt(host);
        HostWithTrace.WaitFor(directory.At("idle"));
        Interrupt(host);
        host.Child.Wait().StandardOutput.Lines().Skip(1).Should().Equal(
            "1 Canceled Interrupt none 9", "2 Canceled Interrupt none 9", "Interrupt");
    });

    [Fact]
    public void SecondInterrupt_KillsAlsoTheChildWhoseStartIsUnderWay() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using HostWithTrace host = new("batch-killed-in-a-start", directory.At("ready"));
        HostWithTrace.WaitFor(directory.At("ready"));
        HostWithTrace.WaitFor(directory.At("ready.starting"));
        Interrupt(host);
        HostWithTrace.WaitFor(directory.At("ready.term"));
        Interrupt(host);
        host.Child.Wait().StandardOutput.Lines().Should().Equal("0 Canceled Interrupt 9", "1 Canceled Interrupt 9");
    });

    private static void Interrupt(HostWithTrace host) =>
        _ = NativeMethods.Kill(host.Child.ProcessId, NativeMethods.SIGINT);
}
