using System;
using System.Runtime.InteropServices;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>
/// Forwards SIGINT to the live children, and kills each child at its second SIGINT. The runtime calls the handler on a
/// thread that it creates for the signal, so neither a reactor nor the ThreadPool is involved.
/// </summary>
/// <remarks>A child whose start is under way is included, and receives the signal as soon as it runs.</remarks>
internal sealed class InterruptForwarder : IDisposable
{
    private readonly PosixSignalRegistration _registration;
    private volatile EngineParts? _parts;

    public InterruptForwarder() => _registration = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnInterrupt);

    /// <summary>
    /// Sets the parts whose children receive the signal. They do not reference the engine itself, which the runtime's
    /// handlers would keep alive.
    /// </summary>
    public void Watch(EngineParts parts) => _parts = parts;

    public void Dispose() => _registration.Dispose();

    private void OnInterrupt(PosixSignalContext context)
    {
        // Only the list is asked for again: a second interrupt of the same child would kill it.
        ChildLife[] children = MemoryRetry.Get(_parts, static parts => parts?.Lives.ToArray() ?? []);
        context.Cancel |= children.Length > 0;
        foreach (ChildLife child in children)
        {
            if (!child.TryInterrupt())
            {
                child.Stop(StopCause.Interrupt, TimeSpan.Zero);
            }
        }
    }
}
