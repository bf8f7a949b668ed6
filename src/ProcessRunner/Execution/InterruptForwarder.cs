using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace ProcessRunner.Execution;

/// <summary>
/// Passes SIGINT on to the live children, and kills them at the second one. The runtime calls the handler on a thread
/// that it makes for the signal, so neither a reactor nor the ThreadPool has a part in it.
/// </summary>
/// <remarks>A child that is being started at that moment is one of them, and gets the signal as soon as it runs.</remarks>
internal sealed class InterruptForwarder : IDisposable
{
    private readonly PosixSignalRegistration _registration;
    private volatile EngineParts? _parts;
    private int _interrupts;

    public InterruptForwarder() => _registration = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnInterrupt);

    /// <summary>From now on there are children. Not the engine itself, which the runtime's handlers would keep alive.</summary>
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
