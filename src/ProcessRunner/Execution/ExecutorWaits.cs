using System;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner.Execution;

/// <summary>Waits for several runs that have nothing to do with each other.</summary>
internal static class ExecutorWaits
{
    /// <summary>
    /// Waits for the ends of all runs. Each run that has not ended at the limit is killed; the token ends the wait.
    /// </summary>
    /// <returns>A task: whether all ended within the limit.</returns>
    public static Task<bool> ForAll(ChildLife[] runs, TimeSpan limit, CancellationToken token) =>
        GroupWait<bool>.ForAll(runs, limit, (ended, hasStopped) => Conclude(runs, !hasStopped, ended), token);

    /// <summary>Blocks the calling thread until one run has ended or the limit has passed.</summary>
    public static void ForAny(ChildLife[] runs, TimeSpan limit)
    {
        TaskCompletionSource first = new(TaskCreationOptions.RunContinuationsAsynchronously);
        FirstEnd[] ends = Array.ConvertAll(runs, _ => new FirstEnd(first));
        for (int i = 0; i < runs.Length; i++)
        {
            runs[i].MarkUsed();
            runs[i].Completion.Add(ends[i]);
        }

        try
        {
            BlockingWait.For(first.Task, limit);
        }
        finally
        {
            for (int i = 0; i < runs.Length; i++)
            {
                runs[i].Completion.Remove(ends[i]);
            }
        }
    }

    private static void Conclude(ChildLife[] runs, bool isInTime, TaskCompletionSource<bool> ended)
    {
        foreach (ChildLife run in runs)
        {
            if ((run.Completion.StartFailure ?? run.Completion.Result!.ClaimDeliveryFailure())
                is ExceptionDispatchInfo failure)
            {
                ended.TrySetException(failure.SourceException);
                return;
            }
        }

        ended.TrySetResult(isInTime);
    }

    private sealed class FirstEnd(TaskCompletionSource first) : IEndWaiter
    {
        IEndWaiter? IEndWaiter.Next { get; set; }

        void IEndWaiter.OnEnded(ProcessResult? result, ExceptionDispatchInfo? startFailure) => first.TrySetResult();
    }
}
