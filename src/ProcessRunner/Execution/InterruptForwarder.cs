using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution;

/// <summary>
/// Passes SIGINT on to the live children, and kills them at the second one. The runtime calls the handler on a thread
/// that it makes for the signal, so neither a reactor nor the ThreadPool has a part in it.
/// </summary>
/// <remarks>
/// A child that is being started at that moment is not live yet. So starts announce themselves, and find out afterwards
/// what they have missed. <c>_gate</c> guards the two counters; no child's gate is taken with it held.
/// </remarks>
internal sealed class InterruptForwarder : IDisposable
{
    private readonly object _gate = new();
    private readonly Func<IReadOnlyList<ChildLife>> _liveChildren;
    private readonly PosixSignalRegistration _registration;
    private int _starts;
    private int _interrupts;

    public InterruptForwarder(Func<IReadOnlyList<ChildLife>> liveChildren)
    {
        _liveChildren = liveChildren;
        _registration = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnInterrupt);
    }

    /// <summary>Starts a child, and has the new child receive what came meanwhile.</summary>
    public ChildLife Around(StartOrder order, EngineParts engine)
    {
        int before;
        lock (_gate)
        {
            before = _interrupts;
            _starts++;
        }

        ChildLife? child = null;
        try
        {
            return child = ChildLife.Start(order, engine);
        }
        finally
        {
            int missed;
            using (Uninterruptible.Lock(_gate))
            {
                missed = _interrupts - before;
                _starts--;
            }

            if (child is not null && missed > 0)
            {
                Forward(child, isFirst: before == 0 && missed == 1);
            }
        }
    }

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
        bool isFirst;
        bool isStarting;
        lock (_gate)
        {
            isFirst = ++_interrupts == 1;
            isStarting = _starts > 0;
        }

        // Counted before the look: a start that ends between the two finds out by itself.
        IReadOnlyList<ChildLife> children = _liveChildren();
        if (children.Count == 0 && !isStarting)
        {
            lock (_gate)
            {
                _interrupts = 0;
            }

            return;
        }

        context.Cancel = true;
        foreach (ChildLife child in children)
        {
            Forward(child, isFirst);
        }
    }
}
