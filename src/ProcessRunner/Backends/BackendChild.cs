using System;
using System.Runtime.InteropServices;

namespace ProcessRunner.Backends;

/// <summary>
/// One child as its backend holds it, from before its start to its release. The object itself is the child's gate: every
/// event is reported with the gate held, and every member here but <see cref="Start"/> and <see cref="Serve"/> is called
/// with it held, so that what happens to one child happens in one order. A reactor's own lock is taken inside a child's
/// gate, never the other way round.
/// </summary>
internal abstract class BackendChild : TimedEntry
{
    /// <summary>The process id of the child; 0 before it has been started.</summary>
    public int ProcessId { get; protected set; }

    /// <summary>Whether it leads a process group, or a session; if not it is in ours.</summary>
    public bool LeadsGroup { get; protected set; }

    /// <summary>Whether there is something in a pipe that nobody has read yet.</summary>
    public abstract bool HasUnreadOutput { get; }

    /// <summary>Joins a reactor: deadlines are kept from now on. After an exception there is nothing to release.</summary>
    /// <exception cref="ObjectDisposedException">The engine has been disposed.</exception>
    public abstract void Watch(IChildEvents events, ChildStreams streams);

    /// <summary>
    /// Starts the program on the calling thread, which sleeps until the program is executed: as long as a file system, say,
    /// takes for that. Called without the gate; again only after an exception.
    /// </summary>
    /// <exception cref="ProcessStartException">The child could not be started; nothing of this attempt is left.</exception>
    public abstract void Start();

    /// <summary>
    /// Begins to drain and to report, once it has been started. The exit of a child that has ended already is reported at
    /// once, on this thread, and may release it. After an exception nothing is reported, and the child must be released.
    /// </summary>
    public abstract void Begin();

    /// <summary>
    /// Has the calling thread, which waits for the end anyway, do the reactor's work for this child until its exit. Returns
    /// at once if the child has exited or another thread does so already. Called without the gate.
    /// </summary>
    public abstract void Serve();

    /// <summary>Sets the one instant at which the reactor calls back; <see cref="MonotonicClock.Never"/> takes it away.</summary>
    public abstract void SetDeadline(long instant);

    /// <summary>
    /// Asks which descendants live, once the child has exited. For every question one last answer comes, and others may come
    /// before, unless the child is released.
    /// </summary>
    public abstract void Survey();

    /// <summary>
    /// Sends a signal to a descendant outside the group, after making sure that it still is who it was. Only inside
    /// <see cref="IChildEvents.OnSurvey"/>.
    /// </summary>
    /// <returns>False if that cannot be made sure now, as in the middle of an exec: nothing has been sent.</returns>
    public abstract bool SignalDescendant(PosixSignal signal, Descendant descendant);

    /// <summary>
    /// Sends a signal unless the child has been reaped, whose process id may then be a stranger's. The child gets it once,
    /// whichever group it has moved to. While <see cref="Start"/> is under way it reaches the child alone, once there is
    /// one: SIGKILL then has the start return.
    /// </summary>
    /// <returns>False if there was nobody left to receive it, or nobody whom we may signal.</returns>
    public abstract bool Signal(PosixSignal signal, SignalScope scope);

    /// <summary>Takes the child out of what is killed when this process ends.</summary>
    public abstract void Spare();

    /// <summary>Reads what a pipe holds now, on the thread of a sink that <see cref="OutputSink.ReadsItself"/>.</summary>
    /// <param name="stream">Which pipe.</param>
    /// <param name="room">Where the bytes go.</param>
    /// <param name="hasEnded">True if nothing comes any more, which the reactor is to see as well.</param>
    /// <returns>The number of bytes; zero if there are none.</returns>
    public abstract int Read(StandardStream stream, Span<byte> room, out bool hasEnded);

    /// <summary>Watches a stream again whose sink was full, or has read itself.</summary>
    public abstract void ResumeOutput(StandardStream stream);

    /// <summary>Writes what the input feed has got by now.</summary>
    public abstract void ResumeInput();

    /// <summary>After the exit: takes what the pipes hold now.</summary>
    /// <returns>True if both streams have come to their end.</returns>
    public abstract bool DrainOutput();

    /// <summary>True if the stream is a pipe whose writing end somebody still holds.</summary>
    public abstract bool IsOpen(StandardStream stream);

    /// <summary>Closes what is left of the output pipes.</summary>
    public abstract void StopReading();

    /// <summary>Reaps the child, closes every descriptor and leaves the reactor. The last call.</summary>
    /// <returns>What the child has used up.</returns>
    public abstract ResourceUse Release();
}
