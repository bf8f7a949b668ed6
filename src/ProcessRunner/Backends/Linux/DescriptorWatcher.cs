namespace ProcessRunner.Backends.Linux;

/// <summary>Who is told when a child's descriptor is ready, and then reads or writes it.</summary>
internal enum DescriptorWatcher : byte
{
    /// <summary>Nobody: there is nothing to do with it at the moment, or it is closed.</summary>
    None,

    /// <summary>The child's reactor.</summary>
    Reactor,

    /// <summary>The thread that waits for the child's end, a <see cref="ServingWait"/>.</summary>
    Waiter,

    /// <summary>
    /// Nobody is told: the kernel had no memory and no watch for it, or it is the pidfd of a zombie whose status is not there
    /// yet. The reactor looks at it from time to time, by a deadline of the child's, until it can be watched again.
    /// </summary>
    Deadline,
}
