using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Life;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Terminals;

/// <summary>Verifies Ctrl-Z and fg at a host with a child, in a shell with job control.</summary>
[OnlyOn(Systems.Linux, "pseudo terminals and signals")]
[NativeBackend(".NET starts a child in the group of this process, and has nothing that outlives it")]
public sealed class SuspendedHostTests
{
    private const string Job = "\"$@\"; echo \"job: stopped\"; read -r line; fg; echo \"job: over\"";
    private const string Child = "echo \"child: begun\" >&2; read -r line <\"$1\"; echo \"$line\"";

    // In its own session, the child continues to run; in our group, it is suspended with us.
    [Theory]
    [InlineData("null", false)]
    [InlineData("inherit", true)]
    public void Host_SuspendedAndBroughtBack_CompletesItsRun(string input, bool isSuspended) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using Trace trace = new();
        using PseudoTerminal terminal = new();
        string end = directory.Fifo("end");

        // The stream opens both ends, so that neither waits for the other.
        using FileStream answer = new(end, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, bufferSize: 0);
        ProcessCommand shell = new(
            "/bin/sh", "-m", "-c", Job, "sh", HostWithTrace.Program, "run-at-terminal", directory.At("report"), input,
            "Auto", Child, end)
        {
            Environment = trace.Variables,
            Descendants = DescendantPolicy.Leave,
        };
        using ChildProcess leader = terminal.Leading(shell).Start();
        terminal.WaitFor("child: begun");
        terminal.Type(PseudoTerminal.CtrlZ);
        terminal.WaitFor("job: stopped");
        if (isSuspended)
        {
            Eventually.Is(() => Suspended(trace) == 2, $"both are: {trace.Describe()}");
        }

        // A child that continues to run reaches its end unseen.
        answer.Write("done\n"u8);
        if (!isSuspended)
        {
            Eventually.Is(
                () => trace.Live().Count == 2 && Suspended(trace) == 1, $"only the host is left: {trace.Describe()}");
        }

        terminal.Type("\n");
        terminal.WaitFor("job: over");
        terminal.Screen.Should().Contain("result: Exited 0 [done]");
        leader.Wait().ExitCode.Should().Be(0);
        trace.Live().Should().BeEmpty();
    });

    private static int Suspended(Trace trace) => trace.Live().Count(entry => entry.State == 'T');
}
