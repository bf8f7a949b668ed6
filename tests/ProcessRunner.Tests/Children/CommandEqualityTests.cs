using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;
using FluentAssertions;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Children;

/// <summary>Verifies that commands that say the same are equal, and that each setting makes a difference.</summary>
public sealed class CommandEqualityTests
{
    private static readonly MemoryStream s_stream = new();

    private static readonly Func<ProcessCommand>[] s_commands =
    [
        () => new ProcessCommand("a"),
        () => new ProcessCommand("b"),
        () => new ProcessCommand("a", "x"),
        () => new ProcessCommand("a", "x", "y"),
        () => new ProcessCommand("a", "x y"),
        () => new ProcessCommand("a") { WorkingDirectory = "/" },
        () => new ProcessCommand("a").WithEnvironment("x", "1"),
        () => new ProcessCommand("a").WithEnvironment("x", "2"),
        () => new ProcessCommand("a").WithEnvironment("x", null),
        () => new ProcessCommand("a").WithEnvironment("x", "1").WithEnvironment("y", "2"),
        () => new ProcessCommand("a") { InheritEnvironment = false },
        () => new ProcessCommand("a") { ExitCodes = [1, 0, 0] },
        () => new ProcessCommand("a") { ExitCodes = [] },
        () => new ProcessCommand("a") { Encoding = Encoding.Latin1 },
        () => new ProcessCommand("a") { Timeout = TimeSpan.FromSeconds(1) },
        () => new ProcessCommand("a") { IdleTimeout = TimeSpan.FromSeconds(1) },
        () => new ProcessCommand("a") { StopSignal = PosixSignal.SIGINT },
        () => new ProcessCommand("a") { StopGrace = TimeSpan.FromSeconds(9) },
        () => new ProcessCommand("a") { DrainGrace = TimeSpan.FromSeconds(9) },
        () => new ProcessCommand("a") { Descendants = DescendantPolicy.Leave },
        () => new ProcessCommand("a") { GroupMode = ProcessGroupMode.Own },
        () => new ProcessCommand("a") { StandardInput = InputSource.Inherit },
        () => new ProcessCommand("a") { StandardInput = InputSource.Pipe },
        () => new ProcessCommand("a") { StandardInput = InputSource.FromText("1") },
        () => new ProcessCommand("a") { StandardInput = InputSource.FromText("2") },
        () => new ProcessCommand("a") { StandardInput = InputSource.FromFile("1") },
        () => new ProcessCommand("a") { StandardInput = InputSource.FromFile("2") },
        () => new ProcessCommand("a") { StandardInput = InputSource.FromStream(s_stream) },
        () => new ProcessCommand("a") { StandardInput = InputSource.FromStream(Stream.Null) },
        () => new ProcessCommand("a") { StandardOutput = OutputTarget.Null },
        () => new ProcessCommand("a") { StandardOutput = OutputTarget.ToFile("1") },
        () => new ProcessCommand("a") { StandardOutput = OutputTarget.ToFile("1", append: true) },
        () => new ProcessCommand("a") { StandardOutput = OutputTarget.Capture(1) },
        () => new ProcessCommand("a") { StandardOutput = OutputTarget.Capture(2) },
        () => new ProcessCommand("a") { StandardOutput = OutputTarget.Capture(2, CapturePolicy.Fail) },
        () => new ProcessCommand("a") { StandardOutput = OutputTarget.ToStream(s_stream) },
        () => new ProcessCommand("a") { StandardOutput = OutputTarget.ToLines(Receive) },
        () => new ProcessCommand("a")
        {
            StandardOutput = OutputTarget.ToLines(Receive, new LineOptions { MaxLength = 9 }),
        },
        () => new ProcessCommand("a") { StandardOutput = OutputTarget.Live() },
        () => new ProcessCommand("a") { StandardOutput = OutputTarget.Live(new LineOptions { MaxLength = 9 }) },
        () => new ProcessCommand("a") { StandardOutput = OutputTarget.Tee(OutputTarget.Live()) },
        () => new ProcessCommand("a") { StandardOutput = OutputTarget.Tee(OutputTarget.Live(), OutputTarget.Live()) },
        () => new ProcessCommand("a") { StandardError = OutputTarget.MergeIntoOutput },
    ];

    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Commands_AreEqualIfTheySayTheSame()
    {
        for (int i = 0; i < s_commands.Length; i++)
        {
            s_commands[i]().GetHashCode().Should().Be(s_commands[i]().GetHashCode(), $"of command {i}");
            for (int j = 0; j < s_commands.Length; j++)
            {
                s_commands[i]().Equals(s_commands[j]()).Should().Be(i == j, $"commands {i} and {j}");
            }
        }
    }

    [Fact]
    public void Orders_ThatMeanNothing_MakeNoDifference()
    {
        ProcessCommand command = new("a");
        (command with { ExitCodes = [0, 1] }).Should().Be(command with { ExitCodes = [1, 0, 1] });
        command.WithEnvironment("x", "1").WithEnvironment("y", "2")
            .Should().Be(command.WithEnvironment("y", "2").WithEnvironment("x", "1"));
    }

    [Fact]
    public void Pipelines_AreEqualIfTheySayTheSame()
    {
        static ProcessPipeline Pipeline() => new ProcessCommand("a") | new ProcessCommand("b");
        Pipeline().Should().Be(Pipeline());
        Pipeline().GetHashCode().Should().Be(Pipeline().GetHashCode());
        ProcessPipeline[] others =
        [
            new ProcessCommand("b") | new ProcessCommand("a"),
            Pipeline() | new ProcessCommand("c"),
            Pipeline() with { PipeFail = false },
            Pipeline() with { Timeout = TimeSpan.FromSeconds(1) },
        ];
        others.Should().NotContain(Pipeline());
    }

    [Fact]
    public void Options_AreEqualIfTheySayTheSame()
    {
        static BatchOptions Batch(int limit) =>
            new() { GroupLimits = new Dictionary<string, int> { ["a"] = limit, ["a\u00AD"] = 2 } };
        Batch(1).Should().Be(Batch(1)).And.NotBe(Batch(2));
        Batch(1).GetHashCode().Should().Be(Batch(1).GetHashCode());
        static ProcessEngineOptions Engine(string secret) => new() { Secrets = [secret] };
        Engine("a").Should().Be(Engine("a")).And.NotBe(Engine("b"));
        Engine("a").GetHashCode().Should().Be(Engine("a").GetHashCode());
    }

    [Fact]
    public void StreamsOfACommand_TellWhatTheyAre()
    {
        Dictionary<object, string> texts = new()
        {
            [InputSource.Null] = "Null",
            [InputSource.Pipe] = "Pipe",
            [InputSource.FromText("secret")] = "FromText",
            [InputSource.FromFile("f")] = "FromFile(f)",
            [OutputTarget.Inherit] = "Inherit",
            [OutputTarget.MergeIntoOutput] = "MergeIntoOutput",
            [OutputTarget.ToFile("f")] = "ToFile(f)",
            [OutputTarget.Tee(OutputTarget.Capture(9, CapturePolicy.Fail), OutputTarget.Live())] =
                "Tee(Capture(9, Fail), Live())",
        };
        texts.Should().AllSatisfy(text => text.Key.ToString().Should().Be(text.Value));
    }

    private static void Receive(OutputLine line)
    {
    }
}
