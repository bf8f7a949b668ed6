using System.Collections.Generic;
using System.ComponentModel;
using BenchmarkDotNet.Attributes;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Questions;

/// <summary>Asks Perf_Process.Start: the time for which the start alone blocks its caller.</summary>
[Description("What does a start alone cost its caller?")]
public class StartOnly() : Question(PerfProcess.WhoAmI)
{
    private readonly List<IRunningChild> _started = [];

    [Benchmark(Baseline = true)]
    public int ProcessAsync() => Add(new AsyncRunner(RivalForm.Text));

    [Benchmark]
    public int ProcessEvents() => Add(new EventsRunner());

    [Benchmark]
    public int ProcessPoll() => Add(new PollRunner(RivalForm.Text));

    [Benchmark]
    public int MedallionShell() => Add(new MedallionRunner(RivalForm.Text));

    [Benchmark]
    public int ProcessRunner() => Add(new LibraryRunner(LibraryForm.Bytes));

    /// <summary>Waits for the children outside the measurement.</summary>
    [IterationCleanup]
    public void WaitForAll()
    {
        foreach (IRunningChild child in _started)
        {
            child.Wait();
            Check(child.Report());
            child.Dispose();
        }

        _started.Clear();
    }

    private int Add(IChildRunner runner)
    {
        _started.Add(Start(runner));
        return _started.Count;
    }
}
