using System;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.Backends;

/// <summary>Makes the threads of this library: with a name, and none of them keeps the program alive.</summary>
internal static class OwnThread
{
    /// <summary>Starts a thread.</summary>
    /// <param name="name">For debuggers, and for those who look at /proc.</param>
    /// <param name="body">What it does.</param>
    /// <exception cref="OutOfMemoryException">
    /// There is none to be had: a limit of threads (RLIMIT_NPROC, pids.max), or no memory for its stack. Nothing is left of it.
    /// </exception>
    public static Thread Start(string name, ThreadStart body)
    {
        Thread thread = Create(name, body);
        Start(thread);
        return thread;
    }

    /// <summary>Makes a thread that is to be started later.</summary>
    /// <param name="name">For debuggers, and for those who look at /proc.</param>
    /// <param name="body">What it does.</param>
    /// <param name="stackSize">In bytes; zero for what the system gives.</param>
    public static Thread Create(string name, ThreadStart body, int stackSize = 0) =>
        new(body, stackSize) { Name = name, IsBackground = true };

    /// <summary>Starts a thread that has been made before.</summary>
    /// <inheritdoc cref="Start(string, ThreadStart)"/>
    public static void Start(Thread thread)
    {
        FaultPoint.Allocate("thread");
        try
        {
            thread.UnsafeStart();
        }
        catch (ThreadStartException exception)
        {
            // It was there, and found no memory for what a managed thread needs.
            throw new InsufficientMemoryException(exception.Message, exception);
        }
    }
}
