using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Backends.Starts;
using ProcessRunner.Backends.Windows.Io;
using ProcessRunner.Backends.Windows.Start;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows;

/// <summary>Represents the Windows backend, which spreads the children evenly over its reactors.</summary>
/// <remarks>
/// <c>_keptGate</c> is an innermost lock, and guards the list of the jobs of ended children whose descendants are
/// killed when this process ends. Except for that list and the guard, the fields never change after construction, so
/// every member is thread-safe.
/// </remarks>
[SupportedOSPlatform("windows")]
internal sealed unsafe class WindowsBackend : ProcessBackend
{
    private readonly ReactorGroup _reactors;
    private readonly WindowsEnvironment? _environment;
    private readonly object _keptGate = new();
    private readonly WindowsHostGuard _guard;
    private JobObject? _kept;

    private WindowsBackend(BackendOptions options)
    {
        if (!IsSupported)
        {
            throw new PlatformNotSupportedException(
                "ProcessRunner needs Windows 10, Windows Server 2016 or later on x64 or arm64; this is "
                + $"{RuntimeInformation.OSDescription} on {RuntimeInformation.ProcessArchitecture}.");
        }

        KillsOnExit = options.KillsChildrenOnExit;
        _environment = options.TakesEnvironmentOnce ? WindowsEnvironment.Take() : null;
        _reactors = new ReactorGroup(options.ReactorCount, static index => new CompletionReactor(index));
        _guard = new WindowsHostGuard(_reactors);
    }

    /// <summary>Gets whether the system and the processor are supported.</summary>
    public static bool IsSupported =>
        RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.Arm64
        && OperatingSystem.IsWindowsVersionAtLeast(10);

    public override BackendCapabilities Capabilities => new()
    {
        BindsFiles = true,
        ConnectsChildren = true,
        ChoosesGroups = true,
        FindsDescendants = true,
        PassesHandles = true,
        PassesBytes = true,
        StartsOnTimers = true,
    };

    public override LaunchFeatures Features =>
        LaunchFeatures.ArgumentZero
        | LaunchFeatures.Priority
        | LaunchFeatures.Processors
        | LaunchFeatures.Limits
        | LaunchFeatures.KillOnParentExit
        | LaunchFeatures.CloseWindows;

    /// <summary>Gets whether all children are killed when this process ends or the backend is disposed.</summary>
    public bool KillsOnExit { get; }

    /// <summary>Gets whether the children are killed if this process ends now.</summary>
    public bool KillsOnEnd => KillsOnExit || _guard.IsActive;

    public override int ThreadCount => _reactors.ThreadCount;

    public override long AvailableMemory
    {
        get
        {
            Kernel32.MEMORYSTATUSEX status = new() { dwLength = (uint)sizeof(Kernel32.MEMORYSTATUSEX) };
            return Kernel32.GlobalMemoryStatusEx(&status) ? (long)status.ullAvailPhys : long.MaxValue;
        }
    }

    /// <exception cref="LaunchException">The system lacks memory, or no thread is available.</exception>
    /// <exception cref="PlatformNotSupportedException">
    /// The system is older than Windows 10, or the processor is neither x64 nor arm64.
    /// </exception>
    public static WindowsBackend Open(BackendOptions options)
    {
        try
        {
            return new WindowsBackend(options);
        }
        catch (Win32Exception exception)
        {
            throw StartError.ExplainStep(exception);
        }
        catch (OutOfMemoryException)
        {
            throw StartError.OutOfResources();
        }
    }

    public override BackendChild Create(ILaunchPlan plan, InheritedEnvironment? inherited, SlotVariable slot)
    {
        WindowsEnvironment? environment = (WindowsEnvironment?)inherited ?? _environment;
        return new WindowsChild(
            this, (CompletionReactor)_reactors.Choose(), new LaunchOrder(plan, environment, slot));
    }

    /// <summary>Creates the job of a child that is about to start.</summary>
    /// <exception cref="LaunchException">The system lacks memory, or refuses a limit of the plan.</exception>
    public JobObject CreateJob(LaunchOrder order)
    {
        ILaunchSettings? settings = order.Plan.Settings;
        try
        {
            return JobObject.Create(
                KillsOnEnd || settings is { KillsOnParentExit: true },
                allowsBreakaway: !order.Plan.FindsDescendants,
                JobLimits.For(settings, order.ConsoleChoice.HasOwnConsole));
        }
        catch (Win32Exception exception) when (exception is not LaunchException)
        {
            throw JobLimits.Explain(exception, settings);
        }
    }

    /// <summary>Starts a child on the calling thread, in its job.</summary>
    /// <exception cref="LaunchException">The child could not be started; nothing of it is left.</exception>
    public StartedProcess Spawn(LaunchOrder order, JobObject job)
    {
        ReactorThread? reactorThread = _reactors.OnStart();
        try
        {
            return WindowsStart.Run(order, job);
        }
        finally
        {
            reactorThread?.EndStart();
        }
    }

    /// <summary>
    /// Keeps the job of an ended child whose descendants live on: they are killed when this process ends or the backend
    /// is disposed. One whose members are spared is kept until the system lets it be closed without their end.
    /// </summary>
    public void Keep(JobObject job)
    {
        using (Uninterruptible.Lock(_keptGate))
        {
            JobObject? kept = null;
            for (JobObject? next, each = _kept; each is not null; each = next)
            {
                next = each.NextKept;
                if (!each.TryClose())
                {
                    each.NextKept = kept;
                    kept = each;
                }
            }

            job.NextKept = kept;
            _kept = job;
        }
    }

    public override InheritedEnvironment TakeEnvironment() => _environment ?? WindowsEnvironment.Take();

    public override BackendTimer CreateTimer(Action<long> expired) => _reactors.CreateTimer(expired);

    public override void DoWhenIdle(Action action) => _reactors.DoWhenIdle(action);

    public override bool HoldsUpOthers(long now) => ReactorThread.HoldsUpOthers(now);

    // Windows limits neither the handles nor the processes of a user. A start that lacks memory is retried.
    public override int EstimateRoom() => int.MaxValue;

    public override JobTokens? OpenJobTokens() => JobserverSemaphore.Open();

    public override PipeConnection CreateConnection() => new WindowsPipeConnection();

    public override TemporaryFile CreateTemporaryFile() => new ManagedTemporaryFile();

    public override LaunchException OutOfResources() => StartError.OutOfResources();

    public override HostGuard? HostGuard => _guard;

    // Windows has no SIGHUP.
    public override HangUpWatch? HangUps => null;

    public override void Dispose()
    {
        _reactors.Dispose();
        using (Uninterruptible.Lock(_keptGate))
        {
            for (JobObject? job = _kept; job is not null; job = job.NextKept)
            {
                if (!job.TryClose() && !job.IsSpared)
                {
                    job.Dispose();
                }
            }

            _kept = null;
        }
    }
}
