using System.ComponentModel;
using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Asks Perf_Process.StartAndWaitForExit: a child that writes one line.</summary>
[Description("What does a child with next to no output cost?")]
public class StartAndWaitForExit() : Question(PerfProcess.WhoAmI)
{
    [Benchmark(Baseline = true)]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessAsync() => Run(new AsyncRunner(RivalForm.Text));

    [Benchmark]
    public long ProcessEvents() => Run(new EventsRunner());

    [Benchmark]
    public long ProcessPoll() => Run(new PollRunner(RivalForm.Text));

    [Benchmark]
    public long MedallionShell() => Run(new MedallionRunner(RivalForm.Text));

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessRunner() => Run(new LibraryRunner(LibraryForm.Bytes));

    [Benchmark]
    public long ProcessRunnerEnvironmentOnce() => Run(new LibraryRunner(LibraryForm.BytesEnvironmentOnce));
}
