using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Backends.Portable;

/// <summary>Verifies that an interrupt of the caller's thread loses no child of the portable backend.</summary>
[Collection(Alone.Name)]
public sealed class PortableInterruptTests
{
    [Fact]
    public void Interrupts_AtAnyTime_LeaveNoChildBehind() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
        ProcessCommand command = TestPrograms.Shell("echo out; exit 5");
        int interrupted = 0;
        int whole = 0;
        Thread victim = new(() =>
        {
            while (whole < 50)
            {
                try
                {
                    ProcessResult result = command.Run(engine);
                    whole += result is { ExitCode: 5, StandardOutput.Text: "out\n" } ? 1 : 0;
                }
                catch (ThreadInterruptedException)
                {
                    interrupted++;
                }
            }
        });
        victim.Start();
        for (int i = 0; !victim.Join(millisecondsTimeout: i % 5); i++)
        {
            victim.Interrupt();
        }

        interrupted.Should().BePositive();
        engine.LiveChildren.Should().Be(0);
        Eventually.Is(() => ProcFs.Children.Count == 0, "no child is left, not even a zombie");
    });
}
