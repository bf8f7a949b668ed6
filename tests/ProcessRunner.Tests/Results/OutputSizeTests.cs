using System;
using System.Buffers;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestChild;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Results;

public sealed class OutputSizeTests
{
    public static TheoryData<int> Sizes =>
        [0, 1, 255, 256, 257, 4095, 4096, 4097, 65535, 65536, 65537, 81919, 81920, 81921, 1_000_000];

    [Theory]
    [MemberData(nameof(Sizes))]
    public void Output_OfAnySize_IsComplete(int size) => Guard.Run(() =>
    {
        ProcessResult result = NumberedLines.Command(1, size).Run();
        ShouldBeLines(result.StandardOutput, 1, size);
        ShouldBeLines(result.StandardError, 1, 0);
    });

    [Theory]
    [MemberData(nameof(Sizes))]
    public void Error_OfAnySize_IsComplete(int size) => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Quick("numbers-err", "1", $"{size}").Run();
        ShouldBeLines(result.StandardError, 1, size);
        ShouldBeLines(result.StandardOutput, 1, 0);
    });

    [Theory]
    [MemberData(nameof(Sizes))]
    public void BothStreams_OfAnySizeAtTheSameTime_AreCompleteAndApart(int size) => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Quick(
            "spawn", "numbers-err", "5000", $"{size}", "end", "numbers", "1", $"{size}", "wait").Run();
        ShouldBeLines(result.StandardOutput, 1, size);
        ShouldBeLines(result.StandardError, 5000, size);
    });

    [Theory]
    [InlineData("numbers", "numbers-err")]
    [InlineData("numbers-err", "numbers")]
    public void BothStreams_OneAfterTheOther_AreCompleteInEitherOrder(string first, string second) => Guard.Run(() =>
    {
        const int Size = 10_000_000;
        ProcessResult result = TestPrograms.Quick(first, "1", $"{Size}", second, "1", $"{Size}").Run();
        ShouldBeLines(result.StandardOutput, 1, Size);
        ShouldBeLines(result.StandardError, 1, Size);
    });

    [Fact]
    public void HundredMegabytes_OnBothStreamsAtOnce_AreRightToTheByte() => Guard.Run(() =>
    {
        const int Size = 100_000_000;

        // Another process than the child writes the errors, and may be the last to end.
        ProcessCommand command = TestPrograms.Child("spawn", "fill-err", $"{Size}", "end", "fill", $"{Size}") with
        {
            DrainGrace = Timeout.InfiniteTimeSpan,
        };
        ProcessResult result = command.Run().EnsureSuccess();
        byte[] expected = FillText.Sha256(Size);
        foreach (CapturedOutput output in (CapturedOutput[])[result.StandardOutput, result.StandardError])
        {
            output.TotalBytes.Should().Be(Size);
            output.IsTruncated.Should().BeFalse();
            SHA256.HashData(output.OpenRead()).Should().Equal(expected);
        }
    });

    private static void ShouldBeLines(CapturedOutput output, int first, int size)
    {
        byte[] expected = NumberedLines.Bytes(first, size);
        output.TotalBytes.Should().Be(size);
        output.Bytes.Length.Should().Be(size);
        output.IsHeldOpen.Should().BeFalse();
        Hash(output.Bytes.ToArray()).Should().Be(Hash(expected));
        output.Text.Equals(Encoding.ASCII.GetString(expected), StringComparison.Ordinal).Should().BeTrue();
        output.ToString().Should().BeSameAs(output.Text);
    }

    private static string Hash(byte[] bytes) => Convert.ToHexString(SHA256.HashData(bytes));
}
