using System;
using System.Threading;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Represents work for a delivery thread, done each time it is posted. It is created before it is needed, so that
/// posting it allocates no memory.
/// </summary>
/// <param name="action">The work. It handles exceptions of user code and system failures itself.</param>
/// <param name="context">The context in which the work is done, or null for the default context.</param>
/// <param name="onRefused">
/// The action that takes the place of work that is not to wait until the system has a thread for it; otherwise null. It
/// runs on the thread of a timer, with no lock held, and outside the context.
/// </param>
internal sealed class DeliveryJob(Action action, ExecutionContext? context = null, Action? onRefused = null)
{
    /// <summary>Gets the action to run on a delivery thread.</summary>
    public Action Action => action;

    /// <summary>Gets the context in which the action runs, or null for the default context.</summary>
    public ExecutionContext? Context => context;

    /// <summary>
    /// Gets the action that runs instead while the system has no thread for the job; null for a job that waits for one.
    /// </summary>
    public Action? OnRefused => onRefused;

    /// <summary>Gets or sets the next job in the queue. Owned by <see cref="DeliveryThreads"/>.</summary>
    public DeliveryJob? Next { get; set; }

    /// <summary>Gets or sets whether the job is in the queue. Owned by <see cref="DeliveryThreads"/>.</summary>
    public bool IsQueued { get; set; }
}
