using System;
using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>16 MiB on each stream in lines of 64 bytes, each told when it comes.</summary>
public class LargeOutputAsLines
{
    private static readonly ChildJob s_job = ChildJobs.Fill(16 * 1024 * 1024, 16 * 1024 * 1024, TimeSpan.Zero);

    [Benchmark(Baseline = true)]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessEvents() => Checked.Run(new EventsRunner(), s_job);

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessRunner() => Checked.Run(new LibraryRunner(LibraryForm.Lines), s_job);
}
