using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Batches;

/// <summary>What the enumeration of a batch came to.</summary>
internal sealed record Ending(IReadOnlyList<BatchResult> Results, Exception? Exception, StopCause StoppedBy);

/// <summary>How a batch is stopped.</summary>
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
/// Runs a batch on an engine of its own, synchronously or not, and stops it from the body of the loop, at the first result,
/// once a condition holds.
/// </summary>
internal sealed class BatchDrive : IDisposable
{
    private readonly CancellationTokenSource _first = new();
    private readonly CancellationTokenSource _second = new();

    public ProcessEngine Engine { get; } = new(new ProcessEngineOptions { ReactorCount = 2 });

    /// <summary>The token that was cancelled.</summary>
    public CancellationToken Cancelled => _first.IsCancellationRequested ? _first.Token : _second.Token;

    /// <summary>Who a way makes the stopper.</summary>
    public static StopCause CauseOf(Way way) => way switch
    {
        Way.TokenOfRun or Way.TokenOfEnumeration => StopCause.CancellationToken,
        Way.Request => StopCause.Request,
        Way.LeaveTheLoop or Way.ThrowInTheLoop => StopCause.Dispose,
        Way.Timeout => StopCause.BatchTimeout,
        _ => StopCause.EngineDispose,
    };

    /// <summary>What a way makes the enumeration throw, or null.</summary>
    public static Type? ExceptionOf(Way way) => way switch
    {
        Way.TokenOfRun or Way.TokenOfEnumeration => typeof(OperationCanceledException),
        Way.ThrowInTheLoop => typeof(NotFiniteNumberException),
        Way.EngineDispose => typeof(ObjectDisposedException),
        _ => null,
    };

    /// <summary>Every way in either kind of enumeration.</summary>
    public static IEnumerable<(Way Way, bool IsAsync)> Ways =>
        Enum.GetValues<Way>().SelectMany(way => new[] { (way, false), (way, true) })
            .Where(way => way.Item2 || way.way != Way.TokenOfEnumeration);

    /// <summary>Runs it.</summary>
    /// <param name="items">Its input; the first one is to end soon.</param>
    /// <param name="options">An engine is added, and a time limit if that is the way.</param>
    /// <param name="way">How to stop it.</param>
    /// <param name="isAsync">Whether it is enumerated asynchronously.</param>
    /// <param name="when">When to stop it.</param>
    public Ending Run(IEnumerable<BatchItem> items, BatchOptions options, Way way, bool isAsync, Func<BatchRun, bool> when)
    {
        options = options with
        {
            Engine = Engine,
            Timeout = way == Way.Timeout ? TimeSpan.FromMilliseconds(400) : options.Timeout,
        };
        BatchResults sync = ProcessBatch.Run(items, options, _first.Token);
        AsyncBatchResults async = ProcessBatch.RunAsync(items, options, _first.Token);
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

            // Its time limit may pass before it has come so far.
            Eventually.Is(() => when(batch) || (way == Way.Timeout && batch.StoppedBy != StopCause.None), "it has come so far");
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
        System.Runtime.CompilerServices.ConfiguredCancelableAsyncEnumerable<BatchResult> results, Func<BatchResult, bool> goOn)
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
                batch.Stop();
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
