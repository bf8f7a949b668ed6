using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams;

/// <summary>
/// Verifies that hand-written input and live lines are refused before the start of a run that returns no
/// <see cref="ChildProcess"/>. Otherwise, the child would wait forever for a writer or a reader.
/// </summary>
public sealed class UnreachableStreamTests
{
    private static readonly Dictionary<string, ProcessCommand> s_commands = new()
    {
        ["input"] = TestPrograms.Quick("stdin") with { StandardInput = InputSource.Pipe },
        ["output"] = TestPrograms.Quick("yes") with { StandardOutput = OutputTarget.Live() },
        ["error"] = TestPrograms.Quick("yes-err") with { StandardError = OutputTarget.Live() },
        ["tee"] = TestPrograms.Quick("yes") with
        {
            StandardOutput = OutputTarget.Tee(OutputTarget.Capture(), OutputTarget.Live()),
        },
    };

    public static TheoryData<string> Commands => [.. s_commands.Keys];

    [Theory]
    [MemberData(nameof(Commands))]
    public void Run_OfACommandOrExecutor_IsRefusedBeforeTheStart(string name) => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        ProcessCommand command = s_commands[name];
        ShouldBeRefused(engine, () => command.Run(engine));
        ShouldBeRefused(engine, () => Result(command.RunAsync(engine)));
        using ProcessExecutor executor = new("unreachable", command, engine);
        ShouldBeRefused(engine, () => executor.Run());
        executor.IsRunning.Should().BeFalse();
    });

    [Fact]
    public void Run_OfAPipelineWithALastStageThatIsUnreachable_IsRefusedBeforeTheFirstStarts() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        ProcessCommand plain = TestPrograms.Quick();
        ProcessPipeline[] pipelines =
        [
            s_commands["input"].PipeTo(plain),
            plain.PipeTo(s_commands["output"]),
            plain.PipeTo(s_commands["error"]).PipeTo(plain),
            plain.PipeTo(plain).PipeTo(s_commands["tee"]),
        ];
        foreach (ProcessPipeline pipeline in pipelines)
        {
            ShouldBeRefused(engine, () => pipeline.Run(engine));
            ShouldBeRefused(engine, () => Result(pipeline.RunAsync(engine)));
        }
    });

    [Fact]
    public void Run_OfAPipelineThatReplacesTheStream_IsARun() => Guard.Run(() =>
    {
        ProcessCommand writer = TestPrograms.Quick("echo", "text") with { StandardOutput = OutputTarget.Live() };
        writer.PipeTo(s_commands["input"]).Run().EnsureSuccess().StandardOutput.Text.Should().Be("text\n");
    });

    [Theory]
    [MemberData(nameof(Commands))]
    public void Command_OfABatch_IsAResultThatSaysWhatToDo(string name) => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        ProcessCommand[] commands = [s_commands[name], TestPrograms.Quick(), s_commands[name]];
        BatchResult[] results = [.. ProcessBatch.Enumerate(commands, new BatchOptions { Engine = engine })];
        results.Where(result => result.IsSuccess).Should().ContainSingle().Which.Index.Should().Be(1);
        results.Where(result => !result.IsSuccess).Should().HaveCount(2).And.OnlyContain(
            result => result.Exception is InvalidOperationException && result.Exception.Message.Contains("Start"));
        engine.StartedChildren.Should().Be(1);
    });

    private static void ShouldBeRefused(ProcessEngine engine, Action run)
    {
        run.Should().Throw<InvalidOperationException>().WithMessage("*Start*");
        engine.StartedChildren.Should().Be(0);
    }

    private static T Result<T>(Task<T> task) => task.GetAwaiter().GetResult();
}
