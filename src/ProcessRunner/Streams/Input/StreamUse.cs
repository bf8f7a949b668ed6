using System;
using System.IO;
using System.Runtime.CompilerServices;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Streams.Input;

/// <summary>
/// Represents the use of a user's stream as an input: one run at a time reads it, and one command of a batch.
/// Thread-safe.
/// </summary>
/// <remarks>
/// Belongs to the process, because several sources and engines can read one stream, and lives as long as the stream.
/// <c>_gate</c> guards all state. The run and the batches are referenced weakly: what has been
/// collected has ended.
/// </remarks>
internal sealed class StreamUse
{
    private static readonly ConditionalWeakTable<Stream, StreamUse> s_uses = new();

    private readonly object _gate = new();
    private readonly WeakReference<IStreamOwner?> _run = new(null);
    private readonly ConditionalWeakTable<object, object> _batches = new();

    /// <summary>Gets the lock that is held during each read.</summary>
    public object Reads { get; } = new();

    /// <summary>Returns the use of the stream.</summary>
    public static StreamUse Of(Stream stream) => s_uses.GetOrCreateValue(stream);

    /// <summary>Notes that a command of a batch reads the stream.</summary>
    /// <param name="batch">An object that stands for the batch.</param>
    /// <returns>False if an earlier command of that batch reads the stream.</returns>
    public bool TryClaimInBatch(object batch)
    {
        using (Uninterruptible.Lock(_gate))
        {
            return _batches.TryAdd(batch, batch);
        }
    }

    /// <summary>Notes that a run reads the stream.</summary>
    /// <returns>False if another run, which has not ended, reads the stream.</returns>
    public bool TryClaim(IStreamOwner run)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (_run.TryGetTarget(out IStreamOwner? last) && !last.HasEnded)
            {
                return false;
            }

            _run.SetTarget(run);
            return true;
        }
    }
}
