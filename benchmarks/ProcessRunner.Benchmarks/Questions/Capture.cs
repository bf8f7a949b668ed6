using System;
using System.ComponentModel;
using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Asks for the cost of one call: one child that writes 4 KiB to each stream, captured.</summary>
[Description("What does one start and capture cost, with 4 KiB on each stream?")]
public class Capture() : Question(ChildJobs.Fill(4096, 4096, TimeSpan.Zero))
{
    [Benchmark(Baseline = true)]
    public long ProcessPoll() => Run(new PollRunner(RivalForm.Text));

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessAsync() => Run(new AsyncRunner(RivalForm.Text));

    [Benchmark]
    public long ProcessEvents() => Run(new EventsRunner());

    [Benchmark]
    public long MedallionShell() => Run(new MedallionRunner(RivalForm.Text));

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessRunner() => Run(new LibraryRunner(LibraryForm.Text));

    [Benchmark]
    public long ProcessRunnerBytes() => Run(new LibraryRunner(LibraryForm.Bytes));

    [Benchmark]
    public long ProcessRunnerBytesEnvironmentOnce() => Run(new LibraryRunner(LibraryForm.BytesEnvironmentOnce));
}
