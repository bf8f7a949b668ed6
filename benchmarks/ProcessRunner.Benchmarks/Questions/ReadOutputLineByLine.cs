using System.ComponentModel;
using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Asks Perf_Process.ReadOutputLineByLine: 1,000 lines, each reported as it arrives.</summary>
[Description("A shell that writes 1,000 lines, line by line.")]
public class ReadOutputLineByLine() : Question(PerfProcess.Lines)
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
