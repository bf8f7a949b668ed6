using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Perf_Process.ReadOutputLineByLine: 1,000 lines, each told when it comes.</summary>
public class ReadOutputLineByLine
{
    [Benchmark(Baseline = true)]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessEvents() => Checked.Run(new EventsRunner(), PerfProcess.Lines);

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessRunner() => Checked.Run(new LibraryRunner(LibraryForm.Lines), PerfProcess.Lines);
}
