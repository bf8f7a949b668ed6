using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>
/// Verifies commands that read a stream, which can be read only once, in batches that may run a command again.
/// </summary>
public sealed class BatchStreamInputTests
{
    private static readonly Dictionary<string, BatchOptions> s_options = new()
    {
        ["retry"] = new BatchOptions { Retry = new BatchRetry { Count = 1 } },
        ["repetitions"] = new BatchOptions { RepeatCount = 2 },
        ["time"] = new BatchOptions { RepeatFor = TimeSpan.FromMilliseconds(1) },
    };

    // The command echoes its input and fails.
    private static readonly ProcessCommand s_echo = TestPrograms.Quick("stdin", "return", "3");

    public static TheoryData<string> Options => [.. s_options.Keys];

    [Theory]
    [MemberData(nameof(Options))]
    public void Stream_WhereTheCommandMayRunAgain_IsRefusedBeforeTheStart(string name) => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        using MemoryStream stream = new("input"u8.ToArray());
        ProcessCommand command = s_echo with { StandardInput = InputSource.FromStream(stream) };
        BatchResult[] results =
            [.. ProcessBatch.Enumerate([command, TestPrograms.Quick()], s_options[name] with { Engine = engine })];
        BatchResult[] refused = [.. results.Where(result => result.Index == 0)];
        refused.Should().NotBeEmpty().And.OnlyContain(
            result => result.Exception is InvalidOperationException && result.Exception.Message.Contains("FromBytes"));
        results.Where(result => result.Index == 1).Should().NotBeEmpty().And.OnlyContain(result => result.IsSuccess);
        stream.Position.Should().Be(0);
    });

    [Fact]
    public void Bytes_OfACommandThatRunsAgain_AreThereAgain() => Guard.Run(() =>
    {
        ProcessCommand command = s_echo with { StandardInput = InputSource.FromBytes("input"u8.ToArray()) };
        BatchOptions options = new() { Retry = new BatchRetry { Count = 2 }, RepeatCount = 2 };
        BatchResult[] results = [.. ProcessBatch.Enumerate([command], options)];
        results.SelectMany(result => result.EarlierAttempts.Append(result.Result!))
            .Select(result => result.StandardOutput.Text).Should().Equal(Enumerable.Repeat("input", 6));
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Stream_OfSeveralCommands_IsReadByTheFirstAlone(bool hasOneSource) => Guard.Run(() =>
    {
        using MemoryStream stream = new(new byte[500_000]);
        InputSource source = InputSource.FromStream(stream);
        ProcessCommand[] commands =
        [
            .. Enumerable.Range(0, 3).Select(_ => TestPrograms.Quick("stdin-length") with
            {
                StandardInput = hasOneSource ? source : InputSource.FromStream(stream),
            }),
        ];

        BatchResult[] results = [.. ProcessBatch.Enumerate(commands, new BatchOptions { MaxConcurrency = 3 })];

        results.Single(result => result.Index == 0).Result!.StandardOutput.Text.Trim().Should().Be("500000");
        results.Where(result => result.Index > 0).Should().HaveCount(2).And.OnlyContain(
            result => result.Exception is InvalidOperationException && result.Exception.Message.Contains("FromBytes"));
        stream.Position = 0;
        ProcessBatch.Enumerate([commands[1]]).Single().Result!.StandardOutput.Text.Trim().Should().Be("500000");
    });

    [Fact]
    public void Stream_OfACommandThatRunsOnce_IsRead() => Guard.Run(() =>
    {
        using MemoryStream stream = new("input"u8.ToArray());
        ProcessCommand command = s_echo with { StandardInput = InputSource.FromStream(stream) };
        ProcessBatch.Enumerate([command]).Single().Result!.StandardOutput.Text.Should().Be("input");
    });
}
