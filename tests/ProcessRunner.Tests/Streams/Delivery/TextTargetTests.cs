using System;
using System.IO;
using System.IO.Pipelines;
using System.Linq;
using System.Text;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Delivery;

/// <summary>Verifies the targets that take text or write to a pipe of this process.</summary>
public sealed class TextTargetTests
{
    private const int Bytes = 3_000_000;

    [Fact]
    public void Builder_GetsTheTextOfBothStreams() => Guard.Run(() =>
    {
        StringBuilder text = new();
        ProcessCommand command = TestPrograms.Quick(
            "spawn", "seq", "1", "20000", "end", "seq-err", "1", "20000", "wait") with
        {
            StandardOutput = OutputTarget.ToText(text),
            StandardError = OutputTarget.ToText(text),
        };
        command.Run().EnsureSuccess();
        text.ToString().Count(character => character == '\n').Should().Be(40_000);
    });

    [Theory]
    [InlineData("utf-8")]
    [InlineData("utf-16")]
    [InlineData("utf-32")]
    public void Writer_GetsWholeCharactersWithoutTheByteOrderMark(string encoding) => Guard.Run(() =>
    {
        string text = string.Concat(Enumerable.Repeat("äöü€😀\n", 5_000));
        Encoding known = Encoding.GetEncoding(encoding);
        StringWriter writer = new();
        ProcessCommand command = TestPrograms.Quick("stdin") with
        {
            Encoding = known,
            StandardInput = InputSource.FromBytes((byte[])[.. known.GetPreamble(), .. known.GetBytes(text)]),
            StandardOutput = OutputTarget.Tee(OutputTarget.ToText(writer), OutputTarget.Capture()),
        };
        command.Run().StandardOutput.Text.Should().Be(text);
        writer.ToString().Should().Be(text);
    });

    [Fact]
    public void Writer_GetsBytesThatAreNoTextAsReplacements() => Guard.Run(() =>
    {
        StringWriter writer = new();
        ProcessCommand command = TestPrograms.Quick("print-hex", "61FF62E282") with
        {
            StandardOutput = OutputTarget.ToText(writer),
        };
        command.Run().EnsureSuccess();
        writer.ToString().Should().Be("a\uFFFDb\uFFFD");
    });

    [Theory]
    [InlineData("EFBBBF6162C3A4FF63", "abä")]
    [InlineData("6162E282", "ab")]
    [InlineData("FF6162", "")]
    public void Text_BeforeBytesThatAreNoText_ArrivesIfDecodingIsStrict(string bytes, string expected) =>
        Guard.Run(() =>
    {
        StringBuilder text = new();
        ProcessCommand command = TestPrograms.Quick("print-hex", bytes) with
        {
            StrictDecoding = true,
            StandardOutput = OutputTarget.ToText(text),
        };
        command.Invoking(command => command.Run()).Should().ThrowExactly<OutputDecodingException>();
        text.ToString().Should().Be(expected);
    });

    [Fact]
    public void Writer_ThatThrows_EndsTheWait() => Guard.Run(() =>
    {
        using StringWriter writer = new();
        writer.Dispose();
        ProcessCommand command = TestPrograms.Quick("echo", "") with { StandardOutput = OutputTarget.ToText(writer) };
        FluentActions.Invoking(() => command.Run()).Should().Throw<ObjectDisposedException>();
    });

    [Fact]
    public void Pipe_GetsEveryByteAndItsEnd() => Guard.Run(() =>
    {
        Pipe pipe = new(new PipeOptions(writerScheduler: PipeScheduler.Inline, readerScheduler: PipeScheduler.Inline));
        long read = 0;
        Thread reader = new(() =>
        {
            using Stream stream = pipe.Reader.AsStream();
            byte[] buffer = new byte[10_000];
            for (int count; (count = stream.Read(buffer)) > 0; read += count)
            {
            }
        });
        reader.Start();
        ProcessCommand command = TestPrograms.Quick("zeros", $"{Bytes}") with
        {
            StandardOutput = OutputTarget.ToPipe(pipe.Writer),
        };
        command.Run().EnsureSuccess().StandardOutput.TotalBytes.Should().Be(Bytes);
        reader.Join();
        read.Should().Be(Bytes);
    });

    [Fact]
    public void Pipe_WhoseReaderHasLeft_HoldsUpNothing() => Guard.Run(() =>
    {
        Pipe pipe = new();
        pipe.Reader.Complete();
        ProcessCommand command = TestPrograms.Quick("zeros", $"{Bytes}") with
        {
            StandardOutput = OutputTarget.ToPipe(pipe.Writer),
        };
        command.Run().EnsureSuccess().StandardOutput.TotalBytes.Should().Be(Bytes);
    });

    [Fact]
    public void Pipe_WithoutAReader_EndsWithItsStoppedRun() => Guard.Run(() =>
    {
        Pipe pipe = new();
        ProcessCommand command = TestPrograms.Quick("yes") with
        {
            StandardOutput = OutputTarget.ToPipe(pipe.Writer),
            Timeout = TimeSpan.FromMilliseconds(50),
        };
        command.Run().Outcome.Should().Be(ProcessOutcome.TimedOut);
    });

    [Fact]
    public void Targets_OfNothing_AreRefused()
    {
        Action[] misuses =
        [
            () => OutputTarget.ToText((TextWriter)null!),
            () => OutputTarget.ToText((StringBuilder)null!),
            () => OutputTarget.ToPipe(null!),
        ];
        misuses.Should().AllSatisfy(misuse => misuse.Should().ThrowExactly<ArgumentNullException>());
    }
}
