using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner.Execution.Batches;

/// <summary>Enumerates an asynchronous sequence on a thread that may block.</summary>
internal static class BlockingEnumeration
{
    /// <param name="source">The sequence.</param>
    /// <param name="stop">Tells the sequence that nobody wants the rest.</param>
    public static IEnumerable<T> Of<T>(IAsyncEnumerable<T> source, CancellationToken stop)
    {
        IAsyncEnumerator<T> enumerator = source.GetAsyncEnumerator(stop);
        try
        {
            while (Await(enumerator.MoveNextAsync().AsTask()))
            {
                yield return enumerator.Current;
            }
        }
        finally
        {
            Await(DisposeAsync(enumerator));
        }
    }

    private static async Task<bool> DisposeAsync<T>(IAsyncEnumerator<T> enumerator)
    {
        await enumerator.DisposeAsync().ConfigureAwait(false);
        return true;
    }

    private static bool Await(Task<bool> task)
    {
        // WaitAny, because it does not wrap what the sequence throws.
        Task.WaitAny(task);
        return task.GetAwaiter().GetResult();
    }
}
