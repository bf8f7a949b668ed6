using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams;

/// <summary>Verifies the encoding of each stream, strict decoding, and separators of lines.</summary>
public sealed class EncodingTests
{
    private static readonly ProcessCommand s_command = new("x");

    private static readonly byte[] s_bad = [.. "good\nä\n"u8, 0xFF, .. "\nlost\n"u8];

    [Fact]
    public void Streams_HaveEachTheirEncoding() => Guard.Run(() =>
    {
        using ProcessEngine engine = ProcessEngine.Simulate(_ => new SimulatedRun().Do(program =>
        {
            program.InputStream.CopyTo(program.OutputStream);
            program.ErrorStream.Write([0xE4]);
        }));
        ProcessCommand command = s_command with
        {
            StandardInput = InputSource.FromText("€ä"),
            StandardInputEncoding = Encoding.BigEndianUnicode,
            StandardOutputEncoding = Encoding.BigEndianUnicode,
            StandardErrorEncoding = Encoding.Latin1,
        };
        ProcessResult result = command.Run(engine);
        result.StandardOutput.Text.Should().Be("€ä");
        result.StandardError.Text.Should().Be("ä");
        List<string> lines = [];
        StringBuilder text = new();
        (command with
        {
            StandardOutput = OutputTarget.ToText(text),
            StandardError = OutputTarget.ToLines(line => lines.Add(line.Content)),
        }).Run(engine);
        text.ToString().Should().Be("€ä");
        lines.Should().Equal("ä");
        command.Should().NotBe(command with { StandardErrorEncoding = null });
        (command with { StandardErrorEncoding = null }).Run(engine).StandardError.Text.Should().Be("\uFFFD");
    });

    [Fact]
    public void Capture_DecodedStrictly_ThrowsAndKeepsTheBytes() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(s_bad);
        ProcessResult result = Strict().Run(engine);
        OutputDecodingException failure =
            result.Invoking(result => result.StandardOutput.Text).Should().Throw<OutputDecodingException>().Which;
        failure.Bytes.ToArray().Should().Equal(0xFF);
        failure.EncodingName.Should().Be("utf-8");
        failure.Message.Should().Contain("FF");
        result.StandardOutput.TotalBytes.Should().Be(s_bad.Length);
        s_command.Run(engine).StandardOutput.Lines().Should().Equal("good", "ä", "\uFFFD", "lost");
        new ProcessCommand("x").Run(Engine("ä€😀"u8.ToArray())).StandardOutput.Text.Should().Be("ä€😀");
    });

    [Fact]
    public void Message_OfAFailure_IsDecodedLeniently() => Guard.Run(() =>
    {
        using ProcessEngine engine =
            ProcessEngine.Simulate(_ => new SimulatedRun().Do(program => program.ErrorStream.Write(s_bad)).Exit(1));
        Strict().Run(engine).Invoking(result => result.EnsureSuccess()).Should().Throw<ExitCodeException>()
            .WithMessage("*good*\uFFFD*lost*");
    });

    [Fact]
    public void Lines_DecodedStrictly_EndWithTheFailureAfterTheGoodOnes() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(s_bad);
        List<string> lines = [];
        ProcessCommand command = Strict() with
        {
            StandardOutput = OutputTarget.ToLines(line => lines.Add(line.Content)),
        };
        Exception failure = command.Invoking(command => command.Run(engine)).Should()
            .Throw<OutputDecodingException>().Which;
        lines.Should().Equal("good", "ä");
        ProcessResult.Of(failure)!.ExitCode.Should().Be(0);
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void LiveLines_DecodedStrictly_GiveTheFailureToTheReader(bool isAfterTheEnd) => Guard.Run(() =>
    {
        // The rest of a channel that is full when the child ends is decoded by the reader.
        byte[] much = [.. Enumerable.Repeat("line\n"u8.ToArray(), isAfterTheEnd ? 5000 : 1).SelectMany(line => line)];
        using ProcessEngine engine = Engine([.. much, .. s_bad]);
        ChildProcess child = (Strict() with { StandardOutput = OutputTarget.Live() }).Start(engine);
        if (isAfterTheEnd)
        {
            child.Wait().IsSuccess.Should().BeTrue();
        }

        List<string> lines = [];
        child.Invoking(child =>
        {
            foreach (OutputLine line in child.ReadLines())
            {
                lines.Add(line.Content);
            }
        }).Should().Throw<OutputDecodingException>();
        lines.TakeLast(2).Should().Equal("good", "ä");
        child.Lines.Completion.IsFaulted.Should().BeTrue();
        child.Dispose();
    });

    [Fact]
    public void LiveLines_ReadAsynchronously_ThrowAsWell() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine(s_bad);
        ReadAllAsync(engine).Invoking(task => task.GetAwaiter().GetResult()).Should().Throw<OutputDecodingException>();
        using ChildProcess child = (Strict() with { StandardOutput = OutputTarget.Live() }).Start(engine);
        child.Invoking(child => child.WaitForLine(_ => false, TimeSpan.FromSeconds(30)))
            .Should().Throw<OutputDecodingException>();
    });

    [Fact]
    public void Separator_SplitsLinesAndCaptures() => Guard.Run(() =>
    {
        using ProcessEngine engine = Engine("a\nb\0c\0\0d"u8.ToArray());
        List<string> lines = [];
        LineOptions options = new() { Separator = "\0" };
        (s_command with { StandardOutput = OutputTarget.ToLines(line => lines.Add(line.Content), options) })
            .Run(engine);
        lines.Should().Equal("a\nb", "c", "", "d");
        s_command.Run(engine).StandardOutput.Lines("\0").Should().Equal(lines);
        using ChildProcess child = (s_command with { StandardOutput = OutputTarget.Live(options) }).Start(engine);
        child.ReadLines().Select(line => line.Content).Should().Equal(lines);
        options.Invoking(options => options with { Separator = "" }).Should().Throw<ArgumentException>();
    });

    [Theory]
    [InlineData("--", "a-b--c", "a-b|c")]
    [InlineData("aab", "aaabb", "a|b")]
    [InlineData(", ", "1, 2,3, ", "1|2,3")]
    public void Separator_OfSeveralCharacters_MayComeInParts(string separator, string text, string expected) =>
        Guard.Run(() =>
    {
        SimulatedRun run = new();
        foreach (char character in text)
        {
            run = run.Write($"{character}");
        }

        using ProcessEngine engine = ProcessEngine.Simulate(_ => run);
        List<string> lines = [];
        (s_command with
        {
            StandardOutput = OutputTarget.ToLines(
                line => lines.Add(line.Content), new LineOptions { Separator = separator }),
        }).Run(engine);
        lines.Should().Equal(expected.Split('|'));
    });

    private static async Task ReadAllAsync(ProcessEngine engine)
    {
        using ChildProcess child = (Strict() with { StandardOutput = OutputTarget.Live() }).Start(engine);
        await foreach (OutputLine line in child.ReadLinesAsync())
        {
            line.Content.Should().BeOneOf("good", "ä");
        }
    }

    private static ProcessCommand Strict() => s_command with { StrictDecoding = true };

    private static ProcessEngine Engine(byte[] output) => ProcessEngine.Simulate(_ => new SimulatedRun().Write(output));
}
