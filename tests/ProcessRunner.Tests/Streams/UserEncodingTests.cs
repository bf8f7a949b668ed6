using System;
using System.Collections.Concurrent;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams;

/// <summary>Verifies where the code of an encoding that .NET does not have runs, and what its exceptions do.</summary>
public sealed class UserEncodingTests
{
    private const int Commands = 20;

    private static readonly ProcessCommand s_command = TestPrograms.Quick("echo", "a line");

    [Fact]
    public void EncodingThatCannotBeCloned_FailsTheTextAlone() => Guard.Run(() =>
    {
        ProcessResult result = (s_command with { Encoding = new UserEncoding(), StrictDecoding = true }).Run();

        result.IsSuccess.Should().BeTrue();
        result.StandardOutput.TotalBytes.Should().BePositive();
        result.Invoking(result => result.StandardOutput.Text).Should().Throw<NotSupportedException>();
    });

    [Fact]
    public void Encoding_IsCalledOnNoThreadThatServesChildren() => Guard.Run(() =>
    {
        ConcurrentBag<string> threads = [];
        UserEncoding encoding = new(threads);
        ConcurrentBag<string> lines = [];
        StringWriter text = new();
        ProcessCommand command = s_command with
        {
            Encoding = encoding,
            StandardInput = InputSource.FromText("an input"),
            StandardOutput = OutputTarget.ToLines(line => lines.Add(line.Content)),
        };

        ProcessBatch.Run(Enumerable.Repeat(command, Commands)).EnsureSuccess();

        lines.Should().HaveCount(Commands).And.OnlyContain(line => line == "a line");
        (command with { StandardOutput = OutputTarget.ToText(text) }).Run();
        text.ToString().Trim().Should().Be("a line");
        threads.Should().NotBeEmpty().And.NotContain(
            name => name.StartsWith("ProcessRunner I/O", StringComparison.Ordinal));
    });

    [Fact]
    public void FallbackOfAnEncoding_IsCalledOnNoThreadThatServesChildren() => Guard.Run(() =>
    {
        ConcurrentBag<string> threads = [];
        ProcessCommand command = s_command with
        {
            StandardInput = InputSource.FromText("ü"),
            StandardInputEncoding = Encoding.GetEncoding(
                "us-ascii", new UserFallback(threads), DecoderFallback.ReplacementFallback),
        };

        ProcessBatch.Run(Enumerable.Repeat(command, Commands)).EnsureSuccess();

        threads.Should().HaveCountGreaterThanOrEqualTo(Commands).And.NotContain(
            name => name.StartsWith("ProcessRunner I/O", StringComparison.Ordinal));
    });

    private sealed class UserFallback(ConcurrentBag<string> threads) : EncoderFallback
    {
        public override int MaxCharCount => 1;

        public override EncoderFallbackBuffer CreateFallbackBuffer()
        {
            threads.Add(Thread.CurrentThread.Name ?? "");
            return new EncoderReplacementFallback("?").CreateFallbackBuffer();
        }
    }

    // Has no name, and code page 0, for which .NET finds none.
    private sealed class UserEncoding(ConcurrentBag<string>? threads = null) : Encoding
    {
        public override int GetByteCount(char[] chars, int index, int count) => UTF8.GetByteCount(chars, index, count);

        public override int GetBytes(char[] chars, int charIndex, int charCount, byte[] bytes, int byteIndex)
        {
            Note();
            return UTF8.GetBytes(chars, charIndex, charCount, bytes, byteIndex);
        }

        public override int GetCharCount(byte[] bytes, int index, int count) => UTF8.GetCharCount(bytes, index, count);

        public override int GetChars(byte[] bytes, int byteIndex, int byteCount, char[] chars, int charIndex)
        {
            Note();
            return UTF8.GetChars(bytes, byteIndex, byteCount, chars, charIndex);
        }

        public override int GetMaxByteCount(int charCount) => UTF8.GetMaxByteCount(charCount);

        public override int GetMaxCharCount(int byteCount)
        {
            Note();
            return UTF8.GetMaxCharCount(byteCount);
        }

        private void Note() => threads?.Add(Thread.CurrentThread.Name ?? "");
    }
}
