using System.Collections.Generic;
using System.Threading;

namespace ProcessRunner.Streams.Input;

/// <summary>Enumerates an asynchronous sequence on a thread that may block.</summary>
internal static class BlockingEnumeration
{
    /// <summary>Enumerates the sequence.</summary>
    /// <param name="source">The sequence.</param>
    /// <param name="stop">The token that informs the sequence that the rest is not needed.</param>
    public static IEnumerable<T> Of<T>(IAsyncEnumerable<T> source, CancellationToken stop)
    {
        IAsyncEnumerator<T> enumerator = source.GetAsyncEnumerator(stop);
        try
        {
            while (enumerator.MoveNextAsync().AsTask().GetAwaiter().GetResult())
            {
                yield return enumerator.Current;
            }
        }
        finally
        {
            enumerator.DisposeAsync().AsTask().GetAwaiter().GetResult();
        }
    }
}
