using System.Linq;
using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>32 KiB through a child that copies its input to its output.</summary>
public class InputEcho
{
    private static readonly ChildJob s_job = ChildJobs.Echo(string.Concat(
        Enumerable.Repeat("0123456789abcde\n", 2048)));

    [Benchmark(Baseline = true)]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessAsync() => Checked.Run(new AsyncRunner(), s_job);

    [Benchmark]
    public long ProcessEvents() => Checked.Run(new EventsRunner(), s_job);

    [Benchmark]
    public long ProcessPoll() => Checked.Run(new PollRunner(asText: true), s_job);

    [Benchmark]
    public long MedallionShell() => Checked.Run(new MedallionRunner(), s_job);

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessRunner() => Checked.Run(new LibraryRunner(LibraryForm.Text), s_job);
}
