namespace ProcessRunner.Backends.Linux.Io;

/// <summary>
/// Specifies which thread is notified when a child's descriptor is ready, and then reads or writes it.
/// </summary>
internal enum DescriptorWatcher : byte
{
    /// <summary>No thread: there is nothing to do with the descriptor at the moment, or it is closed.</summary>
    None,

    /// <summary>The child's reactor.</summary>
    Reactor,

    /// <summary>The thread that waits for the child's end, a <see cref="WaiterLoop"/>.</summary>
    Waiter,

    /// <summary>
    /// No thread is notified: the kernel had no memory or no watch for the descriptor, or it is the pidfd of a zombie
    /// whose status is not available yet. The reactor checks it from time to time, by a deadline of the child, until it
    /// can be watched again.
    /// </summary>
    Deadline,
}
