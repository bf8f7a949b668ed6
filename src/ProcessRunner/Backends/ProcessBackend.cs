using System;
using System.Runtime.InteropServices;
using ProcessRunner.Backends.Linux;
using ProcessRunner.Backends.Portable;
using ProcessRunner.Backends.Windows;

namespace ProcessRunner.Backends;

/// <summary>
/// Provides the means of an operating system, and is the only place that chooses a backend for this system. A backend
/// keeps a child's deadline on threads of its own (<see cref="BackendChild.Watch"/>), starts the child on the calling
/// thread (<see cref="BackendChild.Start"/>), drains its pipes and sees its exit on those threads, signals it, finds
/// its descendants, and releases all that it held (<see cref="BackendChild.Release"/>). It decides nothing: the
/// <see cref="IChildEvents"/> to which it reports decide when to stop, how long to drain, and what the outcome is.
/// </summary>
internal abstract class ProcessBackend : IDisposable
{
    /// <summary>
    /// Gets the number of threads that currently run: the reactors, and others that have been needed so far.
    /// </summary>
    public abstract int ThreadCount { get; }

    /// <summary>Gets what the backend provides itself.</summary>
    public abstract BackendCapabilities Capabilities { get; }

    /// <summary>
    /// Gets the rare settings of a child that the backend can carry out. It may have to try that out first.
    /// </summary>
    public abstract LaunchFeatures Features { get; }

    /// <summary>Gets whether this system has a native backend.</summary>
    public static bool HasNative => OperatingSystem.IsLinux() ? LinuxBackend.IsSupported
        : OperatingSystem.IsWindows() && WindowsBackend.IsSupported;

    /// <summary>
    /// Gets why this system cannot have the native backend that others of its kind have; null if it can, or if no
    /// system of its kind can.
    /// </summary>
    public static string? NativeObstacle => HasNative || !(OperatingSystem.IsLinux() || OperatingSystem.IsWindows())
        ? null
        : $"{RuntimeInformation.OSDescription} (version {Environment.OSVersion.Version}, "
            + $"{RuntimeInformation.ProcessArchitecture}) lacks or hides what the native one needs";

    /// <summary>Creates a backend.</summary>
    /// <param name="options">The settings of the backend.</param>
    /// <exception cref="LaunchException">The system lacks a resource.</exception>
    /// <exception cref="PlatformNotSupportedException">
    /// The backend is to be native, and there is none for this system, or the system is too old.
    /// </exception>
    public static ProcessBackend Create(BackendOptions options)
    {
        if (!options.IsNative)
        {
            return PortableBackend.Open(options);
        }

        return OperatingSystem.IsLinux() ? LinuxBackend.Open(options)
            : OperatingSystem.IsWindows() ? WindowsBackend.Open(options)
            : throw new PlatformNotSupportedException(
                "ProcessRunner has a native backend for Linux and Windows. The portable one runs here.");
    }

    /// <summary>Gets how many bytes of memory are available without swapping.</summary>
    public abstract long AvailableMemory { get; }

    /// <summary>
    /// Creates a child that has yet to be started. If a reactor's thread creates it, that reactor serves it, unless
    /// another one has clearly less to do.
    /// </summary>
    /// <param name="plan">The description of the child.</param>
    /// <param name="inherited">
    /// The environment to inherit, if the plan does so; null for the environment at the start.
    /// </param>
    /// <param name="slot">The variable for a child of a batch.</param>
    public abstract BackendChild Create(
        ILaunchPlan plan, InheritedEnvironment? inherited = null, SlotVariable slot = default);

    /// <summary>Takes the environment of this moment, for many starts.</summary>
    public abstract InheritedEnvironment TakeEnvironment();

    /// <summary>Creates a timer on one of the reactors.</summary>
    /// <param name="expired">
    /// The callback, which receives the instant. It must not block, and calls no user code.
    /// </param>
    public abstract BackendTimer CreateTimer(Action<long> expired);

    /// <summary>
    /// Calls an action once this reactor's thread has nothing else to do, or after a millisecond at most, because an
    /// action that wakes another thread costs more than most events. Calls it at once if the current thread is not a
    /// reactor's.
    /// </summary>
    /// <param name="action">
    /// The action, which must not block. An action that is requested again before its call is called once.
    /// </param>
    public abstract void DoWhenIdle(Action action);

    /// <summary>
    /// Returns whether the calling thread watches children and has not looked at them for 50 ms, because it has been
    /// starting others. It should return to them now.
    /// </summary>
    public abstract bool HoldsUpOthers(long now);

    /// <summary>
    /// Estimates how many more children the limits of this process and its user allow now. Other code uses descriptors
    /// and processes, too.
    /// </summary>
    public abstract int EstimateRoom();

    /// <summary>Connects to the job tokens that the build tool around this process shares with it.</summary>
    /// <returns>Null if there is no such tool, or it cannot be reached.</returns>
    public abstract JobTokens? OpenJobTokens();

    /// <summary>Creates a connection between two children that have yet to be started.</summary>
    public abstract PipeConnection CreateConnection();

    /// <summary>Creates a file for bytes that do not fit into memory.</summary>
    /// <exception cref="System.IO.IOException">The directory for temporary files cannot be written.</exception>
    public abstract TemporaryFile CreateTemporaryFile();

    /// <summary>
    /// Creates the exception of a start that lacks a thread or memory, which the runtime reports without an error
    /// number.
    /// </summary>
    public abstract LaunchException OutOfResources();

    /// <summary>Gets the guard of the children, or null if nothing can act for this process.</summary>
    public abstract HostGuard? HostGuard { get; }

    /// <summary>Gets the watch over the loss of the terminal, or null if nothing can see that early.</summary>
    public abstract HangUpWatch? HangUps { get; }

    /// <summary>Ends the reactor threads. No child is watched any longer, and none will be.</summary>
    public abstract void Dispose();
}
