using System;
using System.ComponentModel;
using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Delivers 16 MiB on each stream in lines of 64 bytes, each reported as it arrives.</summary>
[Description("16 MiB on each stream, as lines.")]
public class LargeOutputAsLines() : Question(ChildJobs.Fill(16 * 1024 * 1024, 16 * 1024 * 1024, TimeSpan.Zero))
{
    [Benchmark(Baseline = true)]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessEvents() => Run(new EventsRunner());

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessAsync() => Run(new AsyncRunner(RivalForm.Lines));

    [Benchmark]
    public long MedallionShell() => Run(new MedallionRunner(RivalForm.Lines));

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessRunner() => Run(new LibraryRunner(LibraryForm.Lines));
}
