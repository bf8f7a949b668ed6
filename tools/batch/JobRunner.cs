using System;
using System.Collections.Generic;
using System.IO;
using Batch.CommandLine;
using Batch.Commands;
using Batch.Items;
using Batch.Output;
using Batch.Reports;
using ProcessRunner;

namespace Batch;

/// <summary>Runs the jobs, and prints, logs and counts each job as it ends.</summary>
internal sealed class JobRunner(
    Settings settings, CommandTemplate template, InputGate gate, Screen screen, JobPrinter printer, JobLog? log)
{
    private readonly OutputOrder _order = new(settings.IsUnordered);
    private bool _isHalted;
    private UsageException? _logFailure;

    public Tally Tally { get; } = new();

    /// <summary>Runs a job for each item.</summary>
    /// <exception cref="UsageException">The rest of the input cannot be read, or the log cannot be written.</exception>
    /// <exception cref="IOException">The output cannot be written.</exception>
    public RunEnding Run(IEnumerable<string> items)
    {
        BatchResults results = ProcessBatch.Enumerate(Batched(gate.Pass(items)), Options());
        using Termination termination = new(results);
        try
        {
            foreach (BatchResult result in results)
            {
                OnEnded(new JobOutcome(result), results);
            }
        }
        catch (UsageException)
        {
            // The input has failed before its end. The output of the jobs that have run is still printed.
            screen.Close();
            PrintRest();
            throw;
        }
        finally
        {
            // A batch that ends early leaves its input at its current position.
            gate.Close();
            screen.Close();
        }

        PrintRest();
        if (_logFailure is not null)
        {
            throw _logFailure;
        }

        return termination.HasCome ? RunEnding.Terminated
            : results.StoppedBy == StopCause.Interrupt ? RunEnding.Interrupted
            : _isHalted ? RunEnding.Halted
            : RunEnding.Complete;
    }

    private void OnEnded(JobOutcome outcome, BatchResults results)
    {
        Log(outcome, results);
        Tally.Add(outcome);

        // This comes first, because the end of a job admits the next job.
        Halt(results);
        gate.OnFinished(outcome.Bytes);
        foreach (JobOutcome due in _order.Add(outcome))
        {
            printer.Print(due);
            gate.OnPrinted(due.Bytes);
        }
    }

    // After a failure of the log the running jobs end, and their output is printed. No other job starts, because the
    // log would not have it.
    private void Log(JobOutcome outcome, BatchResults results)
    {
        if (log is null || _logFailure is not null)
        {
            return;
        }

        try
        {
            log.Add(outcome);
        }
        catch (UsageException exception)
        {
            _logFailure = exception;
            gate.Close();
            results.StopStarting();
        }
    }

    private void Halt(BatchResults results)
    {
        if (_isHalted || !settings.Halt.IsReached(Tally.Failed, Tally.Ended))
        {
            return;
        }

        _isHalted = true;
        gate.Close();
        if (settings.Halt.StopsRunning && !settings.Halt.IsAtFirst)
        {
            results.RequestStop();
        }
    }

    private void PrintRest()
    {
        foreach (JobOutcome outcome in _order.Rest())
        {
            printer.Print(outcome);
        }
    }

    private IEnumerable<BatchItem> Batched(IEnumerable<string> items)
    {
        long sequence = 0;
        foreach (string item in items)
        {
            Job job = new(++sequence, item);
            ProcessCommand command = template.CommandFor(job);
            yield return new BatchItem(settings.Timeout is TimeSpan limit ? command with { Timeout = limit } : command)
            {
                Tag = job,
            };
        }
    }

    private BatchOptions Options() => new()
    {
        MaxConcurrency = settings.Jobs,
        SlotVariable = CommandTemplate.SlotVariable,
        Retry = new BatchRetry { Count = settings.Retries, Delay = settings.RetryDelay, Factor = 2 },
        OnFirstFailure = !settings.Halt.IsAtFirst ? BatchFailureAction.Continue
            : settings.Halt.StopsRunning ? BatchFailureAction.StopRunning
            : BatchFailureAction.StopStarting,
        MinAvailableMemory = settings.MinAvailableMemory,
        UseJobserver = settings.UsesJobserver,
        Progress = screen.ShowsState ? new ProgressView(screen, template) : null,
        StopOnInterrupt = true,
    };
}
