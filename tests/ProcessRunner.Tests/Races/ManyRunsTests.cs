using System;
using System.Collections.Generic;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Races;

[Collection(Alone.Name)]
public sealed class ManyRunsTests
{
    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void ThousandsOfRuns_LeaveNoDescriptorNoThreadAndNoZombie() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("echo", "out", "err", "err");
        command.Run();
        int descriptors = ProcFs.OpenDescriptors;
        IReadOnlyCollection<string> threads = OwnThreads();
        Plain.Threads(4, 2000, _ => command.Run().EnsureSuccess());
        Eventually.Is(() => ProcFs.OpenDescriptors <= descriptors, "no more descriptors are open than before");
        OwnThreads().Should().BeSubsetOf(
            threads, "threads of another test's engine may end meanwhile, and none begins");
        ProcFs.Children.Should().BeEmpty();
    });

    [Fact]
    public void HundredsAtOnce_StartedFirstAndWaitedForOneByOne_AreAllComplete() => Guard.Run(() =>
    {
        ChildProcess[] children = [.. Enumerable.Range(0, Crowd.Of(500)).Select(number =>
            TestPrograms.Quick(
                "echo", $"{number}", "sleep", "200", "err", $"{number}", "return", $"{number % 256}").Start())];
        for (int number = 0; number < children.Length; number++)
        {
            ProcessResult result = children[number].Wait();
            result.ExitCode.Should().Be(number % 256);
            result.StandardOutput.Text.Should().Be($"{number}\n");
            result.StandardError.Text.Should().Be($"{number}\n");
        }
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void HundredsAtOnce_AllKilled_AreAllGone() => Guard.Run(() =>
    {
        ChildProcess[] children =
            [.. Enumerable.Range(0, 300).Select(_ => TestPrograms.Quick("sleep", "1000000").Start())];
        Array.ForEach(children, child => child.Kill());
        children.Select(child => child.Wait().SignalNumber).Should().OnlyContain(signal => signal == 9);
        ProcFs.Children.Should().BeEmpty();
    });

    // The count excludes delivery threads, which these runs do not need: those of other tests end after some idle time.
    // It also excludes the threads that end a moment after the last child of all engines, or its start.
    private static IReadOnlyCollection<string> OwnThreads() =>
    [
        .. ProcFs.Threads
            .Where(thread => thread.Name.StartsWith("ProcessRunner", StringComparison.Ordinal)
                && !thread.Name.StartsWith("ProcessRunner d", StringComparison.Ordinal)
                && !thread.Name.StartsWith("ProcessRunner h", StringComparison.Ordinal)
                && !thread.Name.StartsWith("ProcessRunner l", StringComparison.Ordinal))
            .Select(thread => $"{thread.Id} {thread.Name}"),
    ];
}
