using System;
using System.ComponentModel;
using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Captures 16 MiB on each stream as bytes.</summary>
[Description("16 MiB on each stream, as bytes.")]
public class LargeOutputAsBytes() : Question(ChildJobs.Fill(16 * 1024 * 1024, 16 * 1024 * 1024, TimeSpan.Zero))
{
    [Benchmark(Baseline = true)]
    public long ProcessPoll() => Run(new PollRunner(RivalForm.Bytes));

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessAsync() => Run(new AsyncRunner(RivalForm.Bytes));

    [Benchmark]
    public long MedallionShell() => Run(new MedallionRunner(RivalForm.Bytes));

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessRunner() => Run(new LibraryRunner(LibraryForm.Bytes));

    [Benchmark]
    public long ProcessRunnerSpans() => Run(new LibraryRunner(LibraryForm.Spans));
}
