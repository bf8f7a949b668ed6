using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Perf_Process.ReadOutputToEnd and ReadOutputToEndAsync: 1,000 lines as one text.</summary>
public class ReadOutputToEnd
{
    [Benchmark(Baseline = true)]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessAsync() => Checked.Run(new AsyncRunner(), PerfProcess.Lines);

    [Benchmark]
    public long ProcessPoll() => Checked.Run(new PollRunner(asText: true), PerfProcess.Lines);

    [Benchmark]
    public long MedallionShell() => Checked.Run(new MedallionRunner(), PerfProcess.Lines);

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessRunner() => Checked.Run(new LibraryRunner(LibraryForm.Text), PerfProcess.Lines);
}
