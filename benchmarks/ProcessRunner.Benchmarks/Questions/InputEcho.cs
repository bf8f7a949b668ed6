using System.ComponentModel;
using System.Linq;
using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Sends 32 KiB through a child that copies its input to its output.</summary>
[Description("32 KiB through a child that copies its input.")]
public class InputEcho() : Question(ChildJobs.Echo(string.Concat(Enumerable.Repeat("0123456789abcde\n", 2048))))
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
    public long ProcessRunner() => Run(new LibraryRunner(LibraryForm.Text));
}
