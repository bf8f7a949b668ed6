using System;
using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>16 MiB on each stream, as one text.</summary>
public class LargeOutputAsText
{
    private static readonly ChildJob s_job = ChildJobs.Fill(16 * 1024 * 1024, 16 * 1024 * 1024, TimeSpan.Zero);

    [Benchmark(Baseline = true)]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessAsync() => Checked.Run(new AsyncRunner(), s_job);

    [Benchmark]
    public long ProcessPoll() => Checked.Run(new PollRunner(asText: true), s_job);

    [Benchmark]
    public long MedallionShell() => Checked.Run(new MedallionRunner(), s_job);

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessRunner() => Checked.Run(new LibraryRunner(LibraryForm.Text), s_job);
}
