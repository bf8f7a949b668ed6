using System;
using System.IO;
using System.Runtime.InteropServices;

namespace ProcessRunner.Backends.Portable;

/// <summary>
/// Represents a process that has been started for a <see cref="PortableChild"/>, whose gate guards it. It may be a
/// simulated one.
/// </summary>
internal abstract class PortableProcess : IDisposable
{
    /// <summary>Gets the process id.</summary>
    public abstract int Id { get; }

    /// <summary>Gets this process's end of the pipe of standard input, or null if there is none.</summary>
    public abstract Stream? Input { get; }

    /// <summary>Gets this process's end of the pipe of standard output, or null if there is none.</summary>
    public abstract Stream? Output { get; }

    /// <summary>Gets this process's end of the pipe of standard error, or null if there is none of its own.</summary>
    public abstract Stream? Error { get; }

    /// <summary>
    /// Gets whether the process has ended, as far as the system can say now. Requires the gate.
    /// </summary>
    public abstract bool HasEnded { get; }

    /// <summary>Gets the status, once <see cref="AwaitExit"/> has returned. Requires the gate.</summary>
    public abstract ExitStatus Status { get; }

    /// <summary>
    /// Gets the resources that the process has used, once <see cref="AwaitExit"/> has returned. Requires the gate.
    /// </summary>
    public abstract ResourceUse Use { get; }

    /// <summary>Blocks until the process has ended. Called without the gate.</summary>
    public abstract void AwaitExit();

    /// <summary>Asks the process to end by a signal.</summary>
    /// <returns>False if the process no longer exists.</returns>
    public abstract bool RequestStop(PosixSignal signal);

    /// <summary>Passes a Ctrl-C of the user on, unless the system does.</summary>
    public abstract void Interrupt();

    /// <summary>Sends a signal.</summary>
    public abstract SignalDelivery TrySignal(PosixSignal signal);

    /// <summary>Kills the process and its descendants.</summary>
    /// <returns>
    /// False if they cannot be found now. A later call finds them, on Windows even after the end of the process.
    /// </returns>
    public abstract bool TryKillTree();

    /// <summary>Kills the process, and its descendants if they can be found now.</summary>
    public abstract void Kill();

    /// <summary>Releases what belongs to the process, but not its pipes.</summary>
    public abstract void Dispose();
}
