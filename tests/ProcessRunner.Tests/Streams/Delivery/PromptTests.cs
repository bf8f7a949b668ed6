using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams.Delivery;

/// <summary>Verifies that the beginning of a line arrives after a silence, so that a prompt can be answered.</summary>
[OnlyOn(Systems.Unix, "a shell script is the child")]
public sealed class PromptTests
{
    private static readonly LineOptions s_prompts = new() { PromptDelay = TimeSpan.FromMilliseconds(20) };

    [Fact]
    public void Prompt_ThatEndsWithoutALineEnd_CanBeAnswered() => Guard.Run(() =>
    {
        using ChildProcess child = Start("printf 'Name: '; read n; printf 'Age: ' >&2; read a; echo \"$n $a\"; exit 3");
        child.WaitForLine(line => line is { Content: "Name: ", IsPartial: true }, Timeout.InfiniteTimeSpan);
        child.StandardInput.Write("you\n"u8);
        child.WaitForLine(line => line is { Content: "Age: ", IsPartial: true }, Timeout.InfiniteTimeSpan)
            .IsError.Should().BeTrue();
        child.StandardInput.Write("42\n"u8);
        child.ReadLines().Select(line => line.Content).Should().Equal("you 42");
        child.Wait().ExitCode.Should().Be(3);
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Callback_GetsThePrompt(bool isTee) => Guard.Run(() =>
    {
        using SemaphoreSlim prompted = new(0);
        OutputTarget lines = OutputTarget.ToLines(
            line =>
            {
                if (line is { Content: "? ", IsPartial: true })
                {
                    prompted.Release();
                }
            },
            s_prompts);
        ProcessCommand command = new ProcessCommand("sh", "-c", "printf '? '; read a; printf '? '; read b; echo $a$b")
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = isTee ? OutputTarget.Tee(lines, OutputTarget.Capture()) : lines,
        };
        using ChildProcess child = command.Start();
        prompted.Wait();
        child.StandardInput.Write("1\n"u8);
        prompted.Wait();
        child.StandardInput.Write("2\n"u8);
        child.Wait().StandardOutput.TotalBytes.Should().Be("? ? 12\n".Length);
    });

    [Fact]
    public void BeginningOfALine_WithoutADelay_WaitsForTheRest() => Guard.Run(() =>
    {
        ProcessCommand command = new("sh", "-c", "printf a; read a; printf b; sleep 0.1; echo c")
        {
            StandardInput = InputSource.FromText("\n"),
            StandardOutput = OutputTarget.Live(),
        };
        using ChildProcess child = command.Start();
        child.ReadLines().Select(line => (line.Content, line.IsPartial)).Should().Equal(("abc", false));
    });

    [Fact]
    public void PauseWithinALine_ThatIsShorterThanTheDelay_CutsNothing() => Guard.Run(() =>
    {
        const string Script = "printf a; sleep 0.1; printf b; sleep 0.1; echo c; printf d; sleep 0.1";
        ProcessCommand command = new("sh", "-c", Script)
        {
            StandardOutput = OutputTarget.Live(new LineOptions { PromptDelay = TimeSpan.FromHours(1) }),
        };
        using ChildProcess child = command.Start();
        child.ReadLines().Select(line => (line.Content, line.IsPartial)).Should().Equal(("abc", false), ("d", false));
    });

    [Fact]
    public void SilenceWithinALineEnd_EndsOneLine() => Guard.Run(() =>
    {
        using ChildProcess child = Start("printf 'one\\r'; read a; printf '\\ntwo\\n'");
        List<(string, bool)> lines = [];
        foreach (OutputLine line in child.ReadLines())
        {
            lines.Add((line.Content, line.IsPartial));
            if (lines.Count == 1)
            {
                child.StandardInput.Write("\n"u8);
            }
        }

        lines.Should().Equal(("one", true), ("", false), ("two", false));
    });

    [Fact]
    public void Pieces_WithAndWithoutSilences_AreTheWholeText() => Guard.Run(() =>
    {
        LineOptions options = new() { PromptDelay = TimeSpan.FromMilliseconds(1), MaxLength = 7 };
        const string Script = "i=0; while [ $i -lt 200 ]; do printf %s \"$i,\"; i=$((i+1)); done; echo";
        ProcessCommand command = new("sh", "-c", Script)
        {
            StandardOutput = OutputTarget.Live(options),
        };
        using ChildProcess child = command.Start();
        OutputLine[] lines = [.. child.ReadLines()];
        string.Concat(lines.Select(line => line.Content))
            .Should().Be(string.Concat(Enumerable.Range(0, 200).Select(i => $"{i},")));
        lines.Should().OnlyContain(line => line.Content.Length <= 7);
        lines[^1].IsPartial.Should().BeFalse();
    });

    [Fact]
    public void PromptDelay_OutsideItsRange_IsRefused()
    {
        Action negative = () => _ = new LineOptions { PromptDelay = TimeSpan.FromSeconds(-2) };
        negative.Should().ThrowExactly<ArgumentOutOfRangeException>();
    }

    private static ChildProcess Start(string script) => new ProcessCommand("sh", "-c", script)
    {
        StandardInput = InputSource.Pipe,
        StandardOutput = OutputTarget.Live(s_prompts),
        StandardError = OutputTarget.Live(s_prompts),
    }.Start();
}
