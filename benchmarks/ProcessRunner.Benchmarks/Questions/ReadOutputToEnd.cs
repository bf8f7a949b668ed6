using System.ComponentModel;
using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Asks Perf_Process.ReadOutputToEnd and ReadOutputToEndAsync: 1,000 lines as one text.</summary>
[Description("The same shell, all at once.")]
public class ReadOutputToEnd() : Question(PerfProcess.Lines)
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
