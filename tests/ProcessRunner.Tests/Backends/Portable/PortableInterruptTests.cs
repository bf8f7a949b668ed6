using System;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Portable;

/// <summary>Verifies that an interrupt of the caller's thread loses no child of the portable backend.</summary>
[OnlyOn(Systems.Unix, "EINTR")]
[Collection(Alone.Name)]
public sealed class PortableInterruptTests
{
    [Fact]
    public void Interrupts_AtAnyTime_LeaveNoChildBehind() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
        ProcessCommand command = TestPrograms.Shell("echo out; exit 5");
        int interrupted = 0;
        int wrong = 0;
        Thread victim = new(() =>
        {
            // More rounds until an interrupt has come: the thread that interrupts may stand still for as long as these.
            for (int i = 0; i < 150 || interrupted == 0; i++)
            {
                try
                {
                    ProcessResult result = command.Run(engine);
                    wrong += result is { ExitCode: 5, StandardOutput.Text: "out\n" } ? 0 : 1;
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

        wrong.Should().Be(0);
        Eventually.Is(() => engine.LiveChildren == 0, "the runs whose waits were interrupted end as well");
        if (OperatingSystem.IsLinux())
        {
            Eventually.Is(() => ProcFs.Children.Count == 0, "no child is left, not even a zombie");
        }
    });
}
