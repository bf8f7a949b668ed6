using System;
using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>One child, 4 KiB on each stream, captured: what does one call cost?</summary>
public class Capture
{
    private static readonly ChildJob s_job = ChildJobs.Fill(4096, 4096, TimeSpan.Zero);

    [Benchmark(Baseline = true)]
    public long ProcessPoll() => Checked.Run(new PollRunner(asText: true), s_job);

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessAsync() => Checked.Run(new AsyncRunner(), s_job);

    [Benchmark]
    public long ProcessEvents() => Checked.Run(new EventsRunner(), s_job);

    [Benchmark]
    public long MedallionShell() => Checked.Run(new MedallionRunner(), s_job);

    [Benchmark]
    [BenchmarkCategory(Categories.Inline)]
    public long ProcessRunner() => Checked.Run(new LibraryRunner(LibraryForm.Text), s_job);

    [Benchmark]
    public long ProcessRunnerBytes() => Checked.Run(new LibraryRunner(LibraryForm.Bytes), s_job);
}
