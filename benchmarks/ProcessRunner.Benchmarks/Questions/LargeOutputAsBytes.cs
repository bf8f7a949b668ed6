using System;
using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>16 MiB on each stream, kept as bytes.</summary>
public class LargeOutputAsBytes
{
    private static readonly ChildJob s_job = ChildJobs.Fill(16 * 1024 * 1024, 16 * 1024 * 1024, TimeSpan.Zero);

    [Benchmark(Baseline = true)]
    public long ProcessPoll() => Checked.Run(new PollRunner(asText: false), s_job);

    [Benchmark]
    public long ProcessRunner() => Checked.Run(new LibraryRunner(LibraryForm.Bytes), s_job);

    [Benchmark]
    public long ProcessRunnerSpans() => Checked.Run(new LibraryRunner(LibraryForm.Spans), s_job);
}
