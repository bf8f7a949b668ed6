using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Perf_Process.StartAndWaitForExit: a child that writes one line.</summary>
public class StartAndWaitForExit
{
    [Benchmark(Baseline = true)]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessAsync() => Checked.Run(new AsyncRunner(), PerfProcess.WhoAmI);

    [Benchmark]
    public long ProcessEvents() => Checked.Run(new EventsRunner(), PerfProcess.WhoAmI);

    [Benchmark]
    public long ProcessPoll() => Checked.Run(new PollRunner(asText: true), PerfProcess.WhoAmI);

    [Benchmark]
    public long MedallionShell() => Checked.Run(new MedallionRunner(), PerfProcess.WhoAmI);

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessRunner() => Checked.Run(new LibraryRunner(LibraryForm.Bytes), PerfProcess.WhoAmI);
}
