using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Batches;

/// <summary>Represents the outcome of a batch's enumeration.</summary>
internal sealed record Ending(IReadOnlyList<BatchResult> Results, Exception? Exception, StopCause StoppedBy);

/// <summary>Specifies the way to stop a batch.</summary>
public enum Way
{
    TokenOfRun,
    TokenOfEnumeration,
    Request,
    LeaveTheLoop,
    ThrowInTheLoop,
    Timeout,
    EngineDispose,
}

/// <summary>
/// Runs a batch on its own engine, synchronously or not, and stops it from the body of the loop, at the first result,
/// once a condition holds.
/// </summary>
/// <param name="limit">The time limit of the batch, if that is the way to stop it.</param>
internal sealed class BatchDrive(TimeSpan limit = default) : IDisposable
{
    private readonly CancellationTokenSource _first = new();
    private readonly CancellationTokenSource _second = new();

    public ProcessEngine Engine { get; } = new(new ProcessEngineOptions { ReactorCount = 2 });

    /// <summary>Gets the token that was canceled.</summary>
    public CancellationToken Canceled => _first.IsCancellationRequested ? _first.Token : _second.Token;

    /// <summary>Gets the stop cause that a way leads to.</summary>
    public static StopCause CauseOf(Way way) => way switch
    {
        Way.TokenOfRun or Way.TokenOfEnumeration => StopCause.CancellationToken,
        Way.Request => StopCause.Request,
        Way.LeaveTheLoop or Way.ThrowInTheLoop => StopCause.Dispose,
        Way.Timeout => StopCause.BatchTimeout,
        _ => StopCause.EngineDispose,
    };

    /// <summary>Gets the type of the exception that a way makes the enumeration throw, or null.</summary>
    public static Type? ExceptionOf(Way way) => way switch
    {
        Way.TokenOfRun or Way.TokenOfEnumeration => typeof(OperationCanceledException),
        Way.ThrowInTheLoop => typeof(NotFiniteNumberException),
        Way.EngineDispose => typeof(ObjectDisposedException),
        _ => null,
    };

    /// <summary>Gets every way in both kinds of enumeration.</summary>
    public static IEnumerable<(Way Way, bool IsAsync)> Ways =>
        Enum.GetValues<Way>().SelectMany(way => new[] { (way, false), (way, true) })
            .Where(way => way.Item2 || way.way != Way.TokenOfEnumeration);

    /// <summary>Runs the batch.</summary>
    /// <param name="items">The input; the first item must end soon.</param>
    /// <param name="options">The options; the method adds an engine, and a time limit if the way requires it.</param>
    /// <param name="way">The way to stop the batch.</param>
    /// <param name="isAsync">True to enumerate asynchronously.</param>
    /// <param name="when">The condition for the stop.</param>
    public Ending Run(
        IEnumerable<BatchItem> items, BatchOptions options, Way way, bool isAsync, Func<BatchRun, bool> when)
    {
        options = options with
        {
            Engine = Engine,
            Timeout = way == Way.Timeout ? limit : options.Timeout,
        };
        BatchResults sync = ProcessBatch.Enumerate(items, options, _first.Token);
        AsyncBatchResults async = ProcessBatch.EnumerateAsync(items, options, _first.Token);
        BatchRun batch = isAsync ? async : sync;
        List<BatchResult> results = [];
        Exception? exception = null;
        try
        {
            if (isAsync)
            {
                EnumerateAsync(async.WithCancellation(_second.Token), GoOn).GetAwaiter().GetResult();
            }
            else
            {
                foreach (BatchResult result in sync)
                {
                    if (!GoOn(result))
                    {
                        break;
                    }
                }
            }
        }
        catch (Exception caught)
        {
            exception = caught;
        }

        return new Ending(results, exception, batch.StoppedBy);

        bool GoOn(BatchResult result)
        {
            results.Add(result);
            if (results.Count > 1)
            {
                return true;
            }

            // The time limit may pass before the condition holds.
            Eventually.Is(
                () => when(batch) || (way == Way.Timeout && batch.StoppedBy != StopCause.None), "it has come this far");
            Stop(way, batch);
            return way != Way.LeaveTheLoop;
        }
    }

    public void Dispose()
    {
        Engine.Dispose();
        _first.Dispose();
        _second.Dispose();
    }

    private static async Task EnumerateAsync(
        System.Runtime.CompilerServices.ConfiguredCancelableAsyncEnumerable<BatchResult> results,
        Func<BatchResult, bool> goOn)
    {
        await foreach (BatchResult result in results.ConfigureAwait(false))
        {
            if (!goOn(result))
            {
                break;
            }
        }
    }

    private void Stop(Way way, BatchRun batch)
    {
        switch (way)
        {
            case Way.TokenOfRun:
                _first.Cancel();
                break;

            case Way.TokenOfEnumeration:
                _second.Cancel();
                break;

            case Way.Request:
                batch.RequestStop();
                break;

            case Way.ThrowInTheLoop:
                throw new NotFiniteNumberException();

            case Way.Timeout:
                Eventually.Is(() => batch.StoppedBy != StopCause.None, "the time limit passes");
                break;

            case Way.EngineDispose:
                Engine.Dispose();
                break;
        }
    }
}
