using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Readme;

/// <summary>
/// Contains the examples of README.md about batches: every region here is a block there, word for word.
/// </summary>
[OnlyOn(Systems.Unix, "the examples run programs of Unix")]
public sealed class ReadmeBatchExamples
{
    [Fact]
    public void Batch_OfAllFiles_TellsTheSumOfEach() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        for (int i = 0; i < 50; i++)
        {
            File.WriteAllText(Path.Combine(directory.Path, $"{i}.txt"), $"{i}");
        }

        List<string> reports = [];
        void Report(string text) => reports.Add(text);
        string path = directory.Path;

        #region batch
        IEnumerable<ProcessCommand> commands = Directory.EnumerateFiles(path)       // lazy: millions are welcome
            .Select(file => new ProcessCommand("sha256sum", file));
        foreach (BatchResult result in ProcessBatch.Enumerate(commands, new BatchOptions { MaxConcurrency = 16 }))
        {
            Report(result.IsSuccess ? result.Result!.StandardOutput.Text : $"failed: {result}");    // as they end
        }
        #endregion

        reports.Should().HaveCount(50).And.OnlyContain(report => report.Contains(path));
    });

    [Fact]
    public async Task Batch_OfTests_RetriesAndReportsProgress()
    {
        using CancellationTokenSource source = new(TimeSpan.FromMinutes(1));
        CancellationToken cancellationToken = source.Token;
        Suite[] suites = [new("a", "true"), new("b", "true"), new("c", "false")];
        List<string> reports = [];
        void Report(string text) => reports.Add(text);
        IProgress<BatchProgress> progress = new Progress<BatchProgress>();

        #region batch-options
        BatchOptions options = new()
        {
            MaxConcurrency = 8,
            GroupLimits = new Dictionary<string, int> { ["database"] = 2 },
            Retry = new BatchRetry { Count = 2, Delay = TimeSpan.FromMilliseconds(50), Factor = 2, Jitter = 0.5 },
            OnFirstFailure = BatchFailureAction.StopStarting,
            Timeout = TimeSpan.FromMinutes(10),
            Progress = progress,
        };
        IEnumerable<BatchItem<Suite>> items = suites.Select(suite => new BatchItem<Suite>(new(suite.Path), suite)
        {
            Slots = 2,                      // its weight
            Group = "database",
        });
        AsyncBatchResults<Suite> results = ProcessBatch.EnumerateAsync(items, options, cancellationToken);
        await foreach (BatchResult<Suite> result in results)
        {
            Report($"{result.Tag.Name}: {(result.IsFlaky ? "flaky" : result.IsSuccess ? "passed" : "failed")}");
        }

        Report($"{results.Progress.Passed} passed, {results.Progress.Failed} failed, stopped by: {results.StoppedBy}");
        #endregion

        reports.Should().Equal(
            "a: passed", "b: passed", "c: failed", "2 passed, 1 failed, stopped by: BatchFailure");
    }

    [Fact]
    public void Batch_AsAWhole_HasASummary() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string[] files = [directory.At("a"), directory.At("b")];
        Array.ForEach(files, file => File.WriteAllText(file, "text"));
        List<string> reports = [];
        void Report(string text) => reports.Add(text);

        #region batch-run
        BatchSummary zipped = ProcessBatch.Run(files.Select(file => new ProcessCommand("gzip", file)));
        Report($"{zipped} in {zipped.Duration}");
        zipped.EnsureSuccess();                 // throws the failures of all commands together
        #endregion

        reports.Should().ContainSingle().Which.Should().StartWith("2 passed, 0 failed, 0 not started in 00:00:0");
    });

    private sealed record Suite(string Name, string Path);
}
