using System;
using System.ComponentModel;
using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Captures 16 MiB on each stream as one text.</summary>
[Description("16 MiB on each stream, as text.")]
public class LargeOutputAsText() : Question(ChildJobs.Fill(16 * 1024 * 1024, 16 * 1024 * 1024, TimeSpan.Zero))
{
    [Benchmark(Baseline = true)]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessAsync() => Run(new AsyncRunner(RivalForm.Text));

    [Benchmark]
    public long ProcessPoll() => Run(new PollRunner(RivalForm.Text));

    [Benchmark]
    public long MedallionShell() => Run(new MedallionRunner(RivalForm.Text));

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessRunner() => Run(new LibraryRunner(LibraryForm.Text));
}
