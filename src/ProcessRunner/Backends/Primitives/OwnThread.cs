using System;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.Backends.Primitives;

/// <summary>Creates the threads of this library, each with a name. They do not keep the program alive.</summary>
internal static class OwnThread
{
    /// <summary>Starts a thread.</summary>
    /// <param name="name">A name for debuggers and for /proc.</param>
    /// <param name="body">The code that the thread runs.</param>
    /// <exception cref="OutOfMemoryException">
    /// The system has no thread: a limit is reached (RLIMIT_NPROC, pids.max), or there is no memory for the stack.
    /// Nothing is left of the attempt.
    /// </exception>
    public static Thread Start(string name, ThreadStart body)
    {
        Thread thread = Create(name, body);
        Start(thread);
        return thread;
    }

    /// <summary>Creates a thread that is started later.</summary>
    /// <param name="name">A name for debuggers and for /proc.</param>
    /// <param name="body">The code that the thread runs.</param>
    /// <param name="stackSize">The size of the stack in bytes; zero for the system's default.</param>
    public static Thread Create(string name, ThreadStart body, int stackSize = 0) =>
        new(body, stackSize) { Name = name, IsBackground = true };

    /// <summary>Starts a thread that has been created before.</summary>
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
            // The thread existed, but had no memory for what a managed thread needs.
            throw new InsufficientMemoryException(exception.Message, exception);
        }
    }
}
