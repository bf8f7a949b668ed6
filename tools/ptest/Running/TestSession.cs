using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using ProcessRunner;
using PTest.Output;
using PTest.Suites;
using PTest.Units;

namespace PTest.Running;

/// <summary>
/// Runs units in processes of one batch, until each test has its verdict. The thread that runs it judges the results;
/// the batch's own threads start the processes; <see cref="Watch"/> looks after those that run.
/// </summary>
internal sealed class TestSession(SessionOptions options, IRunListener listener)
{
    private TimeSpan _processorTime;
    private int _processes;
    private bool _isStopped;
    private volatile bool _isTerminated;

    /// <summary>Runs tests.</summary>
    /// <param name="tests">The tests.</param>
    /// <param name="units">The units that they are in at first.</param>
    public RunSummary Run(IReadOnlyList<TestCase> tests, IReadOnlyList<TestUnit> units)
    {
        DateTime started = DateTime.UtcNow;
        long begin = Stopwatch.GetTimestamp();
        Ledger ledger = new(tests);
        string root = ScratchFolder.Create("ptest-");
        try
        {
            Judge judge = new(ledger, options.PolicyOf);
            StopCause cause = StopCause.None;
            string? reason = null;
            try
            {
                cause = Run(ledger, judge, new UnitGroups(options, tests), units, root);
            }
            catch (Exception exception)
            {
                // The files of a process cannot be written, as on a full disk, or the runner has a defect. What was
                // seen until then is reported.
                bool isOutside = exception is IOException or UnauthorizedAccessException or UsageException;
                reason = exception.Message;
                ErrorOutput.Write(isOutside ? reason : exception.ToString());
            }

            listener.OnSettled(judge.Rest());
            listener.OnSettled(ledger.SettleRest(reason));
            return new RunSummary
            {
                Rows = ledger.Rows,
                Started = started,
                Duration = Stopwatch.GetElapsedTime(begin),
                ProcessorTime = _processorTime,
                Processes = _processes,
                IsInterrupted = cause == StopCause.Interrupt || _isTerminated,
                IsBroken = reason is not null,
            };
        }
        finally
        {
            ScratchFolder.Delete(root);
        }
    }

    private StopCause Run(
        Ledger ledger, Judge judge, UnitGroups groups, IReadOnlyList<TestUnit> units, string root)
    {
        using UnitQueue queue = new(options, groups, root);
        queue.Add(units);
        BatchOptions batchOptions = new()
        {
            MaxConcurrency = options.Jobs,
            SlotVariable = "PTEST_SLOT",
            GroupLimits = groups.Limits,
            StopOnInterrupt = true,
            Timeout = options.RunLimit > TimeSpan.Zero ? options.RunLimit : System.Threading.Timeout.InfiniteTimeSpan,
        };
        BatchResults<UnitRun> results = ProcessBatch.Enumerate(queue.Items(), batchOptions);

        // A build server that cancels a job sends SIGTERM, and gives the job some seconds. A second SIGTERM ends this
        // process.
        using PosixSignalRegistration termination = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context =>
        {
            if (!_isTerminated)
            {
                context.Cancel = true;
                _isTerminated = true;
                queue.Close();
                results.RequestStop();
            }
        });
        using Watch watch = new(
            options, results, queue, batch => listener.OnTick(batch, ledger.Settled, ledger.Count));
        foreach (BatchResult<UnitRun> result in results)
        {
            OnEnded(result, judge, ledger, queue, results);
        }

        if (watch.Fault is Exception fault)
        {
            ExceptionDispatchInfo.Throw(fault);
        }

        return results.StoppedBy;
    }

    private void OnEnded(
        BatchResult<UnitRun> result, Judge judge, Ledger ledger, UnitQueue queue, BatchRun batch)
    {
        UnitRun run = result.Tag!;
        Complete(run, result);
        Judgement judgement = judge.Decide(run, result, Leak.Of(run, result.Result));
        run.Folder.Delete();
        listener.OnProcess(run, result, judgement.End);
        listener.OnSettled(judgement.Settled);
        if (options.FailFast > 0 && ledger.Failures >= options.FailFast && !_isStopped)
        {
            _isStopped = true;
            queue.Close();
            batch.RequestStop();
        }

        if (!_isStopped && batch.StoppedBy == StopCause.None)
        {
            queue.Replace(judgement.Next);
        }
    }

    private void Complete(UnitRun run, BatchResult result)
    {
        run.Folder.EndListening();
        run.Events.ReadTo(run);
        run.Events.Dispose();
        if (result.Result is ProcessResult process)
        {
            _processes++;
            if (run.FirstEvent > process.StartTime.UtcDateTime)
            {
                options.OnReady?.Invoke(run.Unit.Assembly, run.FirstEvent - process.StartTime.UtcDateTime);
            }

            _processorTime += process.UserProcessorTime + process.PrivilegedProcessorTime;
            foreach (Hosts.HostEvent happening in
                run.Unit.Assembly.Host.Complete(process, run.Unit.Tests, run.Folder))
            {
                run.On(happening);
            }
        }
    }
}
