using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Windows;

/// <summary>
/// Verifies which descendants may leave the job of a child (CREATE_BREAKAWAY_FROM_JOB), as <c>docs/platforms.md</c>
/// tells.
/// </summary>
[OnlyOn(Systems.Windows, "handles, paths and semaphores of Windows")]
[NativeBackend("the subject is the Windows backend")]
public sealed class BreakawayTests
{
    [Fact]
    public void Descendant_OfAChildThatLeavesItsDescendants_MayLeave() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ChildProcess child = (TestPrograms.Child(
            "spawn-away", "touch", directory.At("ready"), "wait-file", directory.At("go"), "touch",
            directory.At("done"), "end", "sleep", "1000000") with
        {
            Descendants = DescendantPolicy.Leave,
        }).Start();
        directory.WaitFor("ready");
        child.Kill();
        ProcessResult result = child.Wait();
        result.SurvivingDescendants.Should().BeEmpty("it is none of this child any longer");
        result.StandardOutput.IsHeldOpen.Should().BeFalse("it has no streams of this child");
        directory.File("go");
        directory.WaitFor("done");
    });

    [Fact]
    public void Descendant_OfAnyOtherChild_MayNotLeave() => Guard.Run(() =>
    {
        using ProcessEngine guarded = new(new ProcessEngineOptions { KillChildrenOnExit = true });
        ProcessCommand command = TestPrograms.Child("spawn-away", "return", "0", "end");
        ProcessCommand leaves = command with { Descendants = DescendantPolicy.Leave };
        ShouldBeRefused(command.Run());
        ShouldBeRefused(leaves.Run(guarded));
        ShouldBeRefused((leaves with { KillOnParentExit = true }).Run());
        ShouldBeRefused((leaves with { Processors = [0] }).Run());
        ShouldBeRefused(leaves.WithLimit(LimitedResource.Processes, 10).Run());
        leaves.Run().EnsureSuccess();
    });

    private static void ShouldBeRefused(ProcessResult result)
    {
        result.ExitCode.Should().Be(1);
        result.StandardError.Text.Should().Contain("spawn-away");
    }
}
