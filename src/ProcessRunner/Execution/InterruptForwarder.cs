using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace ProcessRunner.Execution;

/// <summary>
/// Forwards SIGINT to the live children, and kills them at the second SIGINT. The runtime calls the handler on a thread
/// that it creates for the signal, so neither a reactor nor the ThreadPool is involved.
/// </summary>
/// <remarks>A child whose start is under way is included, and receives the signal as soon as it runs.</remarks>
internal sealed class InterruptForwarder : IDisposable
{
    private readonly PosixSignalRegistration _registration;
    private volatile EngineParts? _parts;
    private int _interrupts;

    public InterruptForwarder() => _registration = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnInterrupt);

    /// <summary>
    /// Sets the parts whose children receive the signal. They do not reference the engine itself, which the runtime's
    /// handlers would keep alive.
    /// </summary>
    public void Watch(EngineParts parts) => _parts = parts;

    public void Dispose() => _registration.Dispose();

    private static void Forward(ChildLife child, bool isFirst)
    {
        if (isFirst)
        {
            child.Interrupt();
        }
        else
        {
            child.Stop(StopCause.Interrupt, TimeSpan.Zero);
        }
    }

    private void OnInterrupt(PosixSignalContext context)
    {
        ChildLife[] children = _parts?.Lives ?? [];
        if (children.Length == 0)
        {
            Volatile.Write(ref _interrupts, 0);
            return;
        }

        context.Cancel = true;
        bool isFirst = Interlocked.Increment(ref _interrupts) == 1;
        foreach (ChildLife child in children)
        {
            Forward(child, isFirst);
        }
    }
}
