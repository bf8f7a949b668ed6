using System;
using System.Threading;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Something that is to be done on a delivery thread, each time that it is posted. It is made before it is needed, so that to
/// post it takes no memory.
/// </summary>
/// <param name="action">Handles the exceptions of user code, and what the system fails in, itself.</param>
/// <param name="context">In which it is done; null for the default one.</param>
internal sealed class DeliveryJob(Action action, ExecutionContext? context = null)
{
    /// <summary>Does it, on a delivery thread.</summary>
    public Action Action => action;

    /// <summary>In which it is done; null for the default one.</summary>
    public ExecutionContext? Context => context;

    /// <summary>The one behind it in the queue; owned by <see cref="DeliveryThreads"/>.</summary>
    public DeliveryJob? Next { get; set; }

    /// <summary>Whether it stands in the queue; owned by <see cref="DeliveryThreads"/>.</summary>
    public bool IsQueued { get; set; }
}
