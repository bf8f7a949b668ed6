using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestChild;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams;

[Collection(Alone.Name)]
public sealed class PipelineTests
{
    private static readonly ProcessCommand s_cat = TestPrograms.Quick("stdin");

    [NativeBackend(".NET gives each stream a pipe of its own, and this process copies the bytes")]
    [Fact]
    public void Stages_ReadWhatTheOneBeforeWrites() => Guard.Run(() =>
    {
        ProcessPipeline pipeline = TestPrograms.Quick("seq", "1", "100000")
            .PipeTo(s_cat)
            .PipeTo(TestPrograms.Quick("stdin-length"));
        PipelineResult result = (pipeline with { Timeout = TimeSpan.FromSeconds(60) }).Run().EnsureSuccess();
        result.StandardOutput.Text.Trim()
            .Should().Be($"{Enumerable.Range(1, 100_000).Sum(n => $"{n}".Length + 1)}");
        result.Stages.Should().HaveCount(3).And.OnlyContain(stage => stage.IsSuccess);
        result.Stages.Select(stage => stage.StandardOutput.TotalBytes).SkipLast(1)
            .Should().OnlyContain(total => total == 0);
    });

    [Fact]
    public void HundredMegabytes_ThroughSeveralStages_AreRightToTheByte() => Guard.Run(() =>
    {
        const int Size = 100_000_000;
        PipelineResult result = TestPrograms.Child("fill", $"{Size}").PipeTo(s_cat).PipeTo(s_cat).Run().EnsureSuccess();
        result.StandardOutput.TotalBytes.Should().Be(Size);
        StreamingSupport.Hash(result.StandardOutput.OpenRead()).Should().Be(Convert.ToHexString(FillText.Sha256(Size)));
    });

    [NativeBackend(".NET gives each stream a pipe of its own, and this process copies the bytes")]
    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Pipe_BetweenTwoStages_IsTheKernelsOwn() => Guard.Run(() =>
    {
        PipelineResult result = TestPrograms.Shell("link=$(readlink /proc/$$/fd/1); echo $link >&2")
            .PipeTo(TestPrograms.Shell("cat >/dev/null; readlink /proc/$$/fd/0; :")).Run().EnsureSuccess();
        result.Stages[0].StandardError.Text.Should().StartWith("pipe:").And.Be(result.StandardOutput.Text);
    });

    [Fact]
    public void StandardErrors_OfAllStages_AreApart() => Guard.Run(() =>
    {
        PipelineResult result =
            TestPrograms.Quick("err", "one", "echo", "out").PipeTo(TestPrograms.Quick("err", "two", "stdin"))
            .PipeTo(TestPrograms.Quick("err", "three", "stdin")).Run().EnsureSuccess();
        result.Stages.Select(stage => stage.StandardError.Text).Should().Equal("one\n", "two\n", "three\n");
        result.StandardOutput.Text.Should().Be("out\n");
    });

    [NativeBackend(".NET gives each stream a pipe of its own, and this process copies the bytes")]
    [Fact]
    public void MergedError_OfAStage_GoesThroughThePipe() => Guard.Run(() =>
    {
        ProcessCommand first =
            TestPrograms.Child("alternate", "1000") with { StandardError = OutputTarget.MergeIntoOutput };
        string[] lines = [.. first.PipeTo(s_cat).Run().EnsureSuccess().StandardOutput.Lines()];
        lines.Should().Equal(Enumerable.Range(0, 1000).SelectMany(number => (string[])[$"o{number}", $"e{number}"]));
    });

    [Theory]
    [InlineData("exit 3", "cat >/dev/null", false, true)]
    [InlineData("exit 0", "cat >/dev/null; exit 4", false, false)]
    [InlineData("exit 0", "cat", true, true)]
    [InlineData("kill -9 $$", "cat >/dev/null", false, true)]
    [OnlyOn(Systems.Unix, "signals")]
    public void Success_DependsOnPipeFail(
        string first, string second, bool withPipeFail, bool without) => Guard.Run(() =>
    {
        ProcessPipeline pipeline = TestPrograms.Shell(first).PipeTo(TestPrograms.Shell(second));
        PipelineResult strict = pipeline.Run();
        PipelineResult lax = (pipeline with { PipeFail = false }).Run();
        strict.IsSuccess.Should().Be(withPipeFail);
        lax.IsSuccess.Should().Be(without);
        if (!withPipeFail)
        {
            ((Action)(() => strict.EnsureSuccess())).Should().Throw<ExitCodeException>()
                .Which.Result.Should().BeSameAs(strict.Stages.First(stage => !stage.IsSuccess));
        }
    });

    [NativeBackend(".NET passes on that this process ignores SIGPIPE")]
    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Stage_ThatHasReadEnough_EndsThoseBeforeItWithoutAFailure() => Guard.Run(() =>
    {
        PipelineResult result =
            TestPrograms.Quick("yes").PipeTo(s_cat).PipeTo(new ProcessCommand("head", "-n", "2")).Run();
        result.IsSuccess.Should().BeTrue();
        result.StandardOutput.Text.Should().Be("y\ny\n");
        result.Stages[0].ShouldHaveDiedOf(13);
    });

    [Fact]
    public void Input_OfTheFirstAndCallbacksOfTheLast_AreServedAsUsual() => Guard.Run(() =>
    {
        byte[] bytes = StreamingSupport.RandomBytes(3, 10_000_000);
        using MemoryStream target = new();
        ProcessPipeline pipeline = (s_cat with { StandardInput = InputSource.FromBytes(bytes) })
            .PipeTo(s_cat with { StandardOutput = OutputTarget.ToStream(target) });
        pipeline.Run().EnsureSuccess();
        target.ToArray().AsSpan().SequenceEqual(bytes).Should().BeTrue();
    });

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Stage_ThatCannotBeStarted_LeavesNothingOfTheOthers(int place) => Guard.Run(() =>
    {
        s_cat.Run();
        int handles = ProcFs.OpenDescriptors;
        ProcessCommand[] commands = [TestPrograms.Quick("sleep", "1000000"), s_cat, s_cat];
        commands[place] = new ProcessCommand("/does/not/exist");
        ProcessPipeline pipeline = commands[0].PipeTo(commands[1]).PipeTo(commands[2]);
        for (int round = 0; round < 20; round++)
        {
            ((ProcessStartException)StreamingSupport.Thrown(() => pipeline.Run())!).Step
                .Should().Be(ProcessStartStep.NotFound);
        }

        Eventually.Is(() => ProcFs.OpenDescriptors <= handles, "no more descriptors are open than before");
        ProcFs.Children.Should().BeEmpty();
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Timeout_OfTheWhole_StopsEveryStage() => Guard.Run(() =>
    {
        ProcessPipeline pipeline = TestPrograms.Quick("sleep", "1000000").PipeTo(s_cat).PipeTo(
            TestPrograms.Quick("sleep", "1000000")) with
        {
            Timeout = TimeSpan.FromSeconds(0.5),
        };
        PipelineResult result = pipeline.Run();
        result.IsSuccess.Should().BeFalse();
        result.Stages[0].Outcome.Should().Be(ProcessOutcome.TimedOut);
        result.Stages[2].Outcome.Should().Be(ProcessOutcome.TimedOut);
        ProcFs.Children.Should().BeEmpty();
    });

    [NativeBackend(".NET gives each stream a pipe of its own, and this process copies the bytes")]
    [Fact]
    [OnlyOn(Systems.Linux, "a scenario of the test host")]
    public void Pipes_ForWhichNoDescriptorIsFree_AreOpenedLaterWithinEveryLimit() =>
        Guard.Run(() => HostProcess.Play("pipelines-without-descriptors"));

    [NativeBackend(".NET passes on that this process ignores SIGPIPE")]
    [Fact]
    public void Timeout_OfAStage_StopsThatStage() => Guard.Run(() =>
    {
        TimeSpan limit = TimeSpan.FromMilliseconds(100);
        ProcessPipeline pipeline =
            TestPrograms.Quick("yes").PipeTo(TestPrograms.Quick("sleep", "1000000") with { Timeout = limit }) with
            {
                Timeout = TimeSpan.FromMinutes(10),
            };
        PipelineResult result = pipeline.Run();
        result.Stages[0].ShouldHaveDiedOf(13);
        result.Stages[1].Outcome.Should().Be(ProcessOutcome.TimedOut);
        result.Stages.Select(stage => stage.Command.Timeout).Should().Equal(Timeout.InfiniteTimeSpan, limit);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Cancellation_StopsEveryStage() => Guard.Run(() =>
    {
        using CancellationTokenSource source = new();
        ProcessPipeline pipeline = TestPrograms.Shell("trap '' PIPE; exec sleep 1000").PipeTo(s_cat).PipeTo(
            TestPrograms.Quick("sleep", "1000000"));
        System.Threading.Tasks.Task<PipelineResult> run = pipeline.RunAsync(cancellationToken: source.Token);
        source.Cancel();
        StreamingSupport.Thrown(() => run.GetAwaiter().GetResult())
            .Should().BeAssignableTo<OperationCanceledException>();
        ProcFs.Children.Should().BeEmpty();
        StreamingSupport.Thrown(() => pipeline.RunAsync(cancellationToken: source.Token).GetAwaiter().GetResult())
            .Should().BeAssignableTo<OperationCanceledException>("a canceled token starts nothing");
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Pipeline_RunManyTimesAtOnce_IsRightEachTimeAndLeavesNothing() => Guard.Run(() =>
    {
        ProcessPipeline pipeline =
            TestPrograms.Quick("seq", "1", "1000").PipeTo(s_cat).PipeTo(new ProcessCommand("tail", "-n", "1"));
        pipeline.Run();
        int handles = ProcFs.OpenDescriptors;
        Races.Plain.Threads(4, 200, _ => pipeline.Run().EnsureSuccess().StandardOutput.Text.Should().Be("1000\n"));
        Eventually.Is(() => ProcFs.OpenDescriptors <= handles, "no more descriptors are open than before");
        ProcFs.Children.Should().BeEmpty();
    });

    [Fact]
    public void Pipeline_OfFiftyStages_Works() => Guard.Run(() =>
    {
        ProcessPipeline pipeline = Enumerable.Range(0, 48).Aggregate(
            TestPrograms.Quick("seq", "1", "100000").PipeTo(s_cat), (before, _) => before.PipeTo(s_cat));
        pipeline.Run().EnsureSuccess().StandardOutput.TotalBytes.Should().Be(588_895);
        pipeline.Stages.Should().HaveCount(50);
    });

    [Fact]
    public void Text_IsWhatAShellTakes() =>
        new ProcessCommand("echo", "a b").PipeTo(new ProcessCommand("cat", "-n")).ToString()
            .Should().Be("echo 'a b' | cat -n");

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Trace_TellsEveryStartWithoutSecretsAndAsAShellTakesIt() => Guard.Run(() =>
    {
        List<string> lines = [];
        using ProcessEngine engine =
            new(new ProcessEngineOptions { Trace = lines.Add, Secrets = ["pass", "pass'word", "t"] });
        ProcessCommand command = new("echo", "a b", "pass'word", "--x=pass", "")
        {
            WorkingDirectory = "/",
            Environment = new Dictionary<string, string?> { ["KEY"] = "pass", ["GONE"] = null },
        };
        command.Run(engine).EnsureSuccess().StandardOutput.Text.Should().Be("a b pass'word --x=pass \n");
        new ProcessCommand("seq", "1").PipeTo(s_cat).Run(engine).EnsureSuccess();
        lines.Should().HaveCount(3);
        string.Concat(lines).Should().NotContain("pass").And.NotContain("word");
        lines[0].Should().StartWith("cd / && env ").And.Contain("-u GONE").And.Contain("'a b'");
        lines[1].Should().Be("seq 1");
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void Trace_OfRandomArguments_RunsTheSameInAShell() => Guard.Run(() =>
    {
        const string Characters = "a'\"\\ $`*?~\n\t;&|<>(){}[]!#=%ä-";
        string? traced = null;
        using ProcessEngine engine = new(new ProcessEngineOptions { Trace = line => traced = line });
        Random random = new(4);
        for (int round = 0; round < 100; round++)
        {
            string[] arguments = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => string.Concat(
                Enumerable.Range(0, random.Next(6)).Select(_ => Characters[random.Next(Characters.Length)])))];
            ProcessCommand command = TestPrograms.Shell("printf '<%s>' \"$V\" \"$@\"", arguments) with
            {
                Environment = new Dictionary<string, string?> { ["V"] = arguments[0] },
                InheritEnvironment = round % 2 == 0,
            };
            string direct = command.Run(engine).EnsureSuccess().StandardOutput.Text;
            new ProcessCommand("/bin/sh", "-c", traced!).Run().StandardOutput.Text.Should().Be(direct, traced);
        }
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Trace_ThatThrows_FailsTheStartAndLeavesNothing() => Guard.Run(() =>
    {
        InvalidTimeZoneException thrown = new("on purpose");
        using ProcessEngine engine = new(new ProcessEngineOptions { Trace = _ => throw thrown });
        s_cat.Run();
        int handles = ProcFs.OpenDescriptors;
        StreamingSupport.Thrown(() => s_cat.Run(engine)).Should().BeSameAs(thrown);
        StreamingSupport.Thrown(() => s_cat.PipeTo(s_cat).Run(engine)).Should().BeSameAs(thrown);
        StreamingSupport.Thrown(() => s_cat.PipeTo(s_cat).Run(engine)).Should().BeSameAs(thrown);
        ProcFs.Children.Should().BeEmpty();
        engine.Dispose();
        Eventually.Is(() => ProcFs.OpenDescriptors <= handles, "no more descriptors are open than before");
    });
}
