using System;
using System.Collections.Generic;
using System.Threading;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Simulated;
using ProcessRunner.Backends.Starts;

namespace ProcessRunner.Backends.Portable;

/// <summary>
/// Represents the backend for every system that has no native one, and for simulated children.
/// <see cref="System.Diagnostics.Process"/> starts the children, and threads of this backend block for them: one for
/// each pipe, one for each exit, and one for all deadlines. Nothing runs on the ThreadPool.
/// </summary>
/// <remarks>
/// <c>_live</c> is a lock, the innermost one, and guards the children that are not released, the number of starts under
/// way, and whether this process ends. The other fields never change after construction, so every member is
/// thread-safe.
/// </remarks>
internal sealed class PortableBackend : ProcessBackend
{
    // A process that ends waits so long for starts that are under way.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    private readonly HashSet<PortableChild> _live = [];
    private readonly PortableEnvironment? _environment;

    private readonly ISimulator? _simulator;
    private int _starting;
    private bool _isEnding;

    private PortableBackend(BackendOptions options)
    {
        _simulator = options.Simulator;
        _environment = options.TakesEnvironmentOnce ? PortableEnvironment.Take() : null;
        Deadlines = new DeadlineThread();
        if (options.KillsChildrenOnExit)
        {
            AppDomain.CurrentDomain.ProcessExit += KillChildren;
        }
    }

    /// <summary>Gets the threads that block for the children.</summary>
    public WorkerThreads Workers { get; } = new();

    /// <summary>Gets the thread that keeps the deadlines.</summary>
    public DeadlineThread Deadlines { get; }

    // For a simulated child all settings are a matter of the user's code, which sees them in the command.
    public override LaunchFeatures Features => _simulator is null ? LaunchFeatures.None : ~LaunchFeatures.None;

    // A simulated child has no group, no descendants, and arguments that nothing encodes.
    public override BackendCapabilities Capabilities => _simulator is null
        ? default
        : new BackendCapabilities { ChoosesGroups = true, FindsDescendants = true, PassesBytes = true };

    public override int ThreadCount => Workers.Count + 1;

    public override long AvailableMemory
    {
        get
        {
            GCMemoryInfo memory = GC.GetGCMemoryInfo();
            return Math.Max(0, memory.TotalAvailableMemoryBytes - memory.MemoryLoadBytes);
        }
    }

    /// <exception cref="LaunchException">No thread is available.</exception>
    public static PortableBackend Open(BackendOptions options)
    {
        try
        {
            return new PortableBackend(options);
        }
        catch (OutOfMemoryException)
        {
            throw StartError.OutOfResources();
        }
    }

    public override BackendChild Create(ILaunchPlan plan, InheritedEnvironment? inherited, SlotVariable slot) =>
        new PortableChild(this, _simulator is null
            ? new PortableStart(plan, (PortableEnvironment?)inherited ?? _environment, slot)
            : new SimulatedStart(plan, _simulator));

    public override InheritedEnvironment TakeEnvironment() => _environment ?? PortableEnvironment.Take();

    public override BackendTimer CreateTimer(Action<long> expired) => new KeptTimer(Deadlines, expired);

    // No thread of this backend serves several children.
    public override void DoWhenIdle(Action action) => action();

    public override bool HoldsUpOthers(long now) => false;

    // .NET tells no limit. A start beyond one fails with an error that is retried.
    public override int EstimateRoom() => int.MaxValue;

    public override JobTokens? OpenJobTokens() => null;

    public override PipeConnection CreateConnection() =>
        throw new NotSupportedException("The portable backend connects no children.");

    public override TemporaryFile CreateTemporaryFile() => new ManagedTemporaryFile();

    public override LaunchException OutOfResources() => StartError.OutOfResources();

    // Nothing outlives this process that could act for it.
    public override HostGuard? HostGuard => null;

    public override HangUpWatch? HangUps => null;

    public override void Dispose()
    {
        AppDomain.CurrentDomain.ProcessExit -= KillChildren;
        Deadlines.Dispose();
        Workers.Dispose();
    }

    /// <summary>Adds a child that is about to start.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory. Nothing has changed.</exception>
    public void Add(PortableChild child)
    {
        Deadlines.Admit(child);
        try
        {
            using (Uninterruptible.Lock(_live))
            {
                _live.Add(child);
            }
        }
        catch (OutOfMemoryException)
        {
            Deadlines.Dismiss(child);
            throw;
        }
    }

    /// <summary>Removes a child that is released.</summary>
    public void Remove(PortableChild child)
    {
        Deadlines.Dismiss(child);
        using (Uninterruptible.Lock(_live))
        {
            _live.Remove(child);
        }
    }

    /// <summary>Notes that a start begins, which <see cref="EndStart"/> must follow.</summary>
    /// <exception cref="LaunchException">This process is ending, so no child can start.</exception>
    public void BeginStart()
    {
        using (Uninterruptible.Lock(_live))
        {
            if (_isEnding)
            {
                throw new LaunchException(0, LaunchStep.Other, "this process is ending and kills its children");
            }

            _starting++;
        }
    }

    /// <summary>Notes that a start has failed, or that its child can be killed.</summary>
    public void EndStart()
    {
        using (Uninterruptible.Lock(_live))
        {
            _starting--;
            Monitor.PulseAll(_live);
        }
    }

    private void KillChildren(object? sender, EventArgs arguments)
    {
        using (Uninterruptible.Lock(_live))
        {
            _isEnding = true;
            long end = MonotonicClock.In(s_patience);
            while (_starting > 0 && MonotonicClock.Now < end)
            {
                Monitor.Wait(_live, MonotonicClock.MillisecondsUntil(end, MonotonicClock.Now));
            }
        }

        // The end of one brings others into play, which then fail to start.
        PortableChild[] children;
        using (Uninterruptible.Lock(_live))
        {
            children = [.. _live];
        }

        Array.ForEach(children, static child => child.KillOnExit());
    }
}
