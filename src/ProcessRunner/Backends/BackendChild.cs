using System;
using System.Diagnostics;
using System.Runtime.InteropServices;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends;

/// <summary>
/// Represents one child in its backend, from before its start to its release. Every event is reported with the child's
/// <see cref="Gate"/> held, and every member except <see cref="Start"/> and <see cref="Serve"/> is called with it held,
/// so all that happens to one child happens in one order. A reactor's own lock is acquired inside a child's gate, never
/// the other way round.
/// </summary>
/// <remarks>
/// The reach of a child consists of the child and of those descendants that the system signals together with it. The id
/// of the child stays reserved from its start to its release, so nothing sent to the child reaches a stranger.
/// </remarks>
internal abstract class BackendChild : TimedEntry
{
    /// <summary>
    /// Gets the lock of the child. It is the child itself: an object of its own would cost every child 24 bytes.
    /// </summary>
    public object Gate => this;

    /// <summary>Checks in debug builds that the calling thread holds the gate.</summary>
    [Conditional("DEBUG")]
    public void AssertGate() => Uninterruptible.AssertHeld(Gate);

    /// <summary>Gets the process id of the child; 0 before its start.</summary>
    public int ProcessId { get; protected set; }

    /// <summary>Gets whether a pipe holds output that has not been read yet.</summary>
    public abstract bool HasUnreadOutput { get; }

    /// <summary>
    /// Gets whether the child has exited, as far as the system can say now, possibly before its exit is reported.
    /// </summary>
    public abstract bool HasExited { get; }

    /// <summary>
    /// Registers the child with a reactor, which keeps its deadlines from then on. After an exception there is nothing
    /// to release.
    /// </summary>
    public abstract void Watch(IChildEvents events, ChildStreams streams);

    /// <summary>
    /// Starts the program on the calling thread, which sleeps until the program is executed. This can take as long as a
    /// file system takes. Called without the gate, and again only after an exception.
    /// </summary>
    /// <exception cref="LaunchException">The child could not be started; nothing of this attempt is left.</exception>
    public abstract void Start();

    /// <summary>
    /// Begins to drain and to report, after the start. If the child has already ended, its exit is reported at once, on
    /// this thread, and may release it. After an exception nothing is reported, and the child must be released.
    /// </summary>
    public abstract void Begin();

    /// <summary>
    /// Serves this child in place of the reactor until its exit, on the calling thread, which waits for the end anyway.
    /// Returns at once if the child has exited or another thread already serves it. Called without the gate.
    /// </summary>
    public abstract void Serve();

    /// <summary>
    /// Sets the one instant at which the reactor calls back; <see cref="MonotonicClock.Never"/> removes it.
    /// </summary>
    public abstract void SetDeadline(long instant);

    /// <summary>
    /// Asks which descendants live, after the child's exit. Every survey has one last answer, and possibly others
    /// before it, unless the child is released.
    /// </summary>
    public abstract void Survey();

    /// <summary>
    /// Asks the child's reach to end, by a signal or by the next best means of the system. The child gets the request
    /// once, even if it has left its group. A suspended process continues, so that it can handle the request.
    /// </summary>
    /// <param name="signal">The signal that asks.</param>
    /// <returns>False if there was no process left to receive it, or none that this process may signal.</returns>
    public abstract bool RequestStop(PosixSignal signal);

    /// <summary>
    /// Asks the child's reach to end by closing its windows. A simulated child, which has no windows, gets the signal.
    /// </summary>
    /// <param name="signal">The signal that would ask otherwise.</param>
    /// <returns>False if there was no window, or none that this process may close.</returns>
    public virtual bool CloseWindows(PosixSignal signal) => RequestStop(signal);

    /// <summary>
    /// Asks a descendant outside the reach to end, after a check that its id still belongs to it. Called only inside
    /// <see cref="IChildEvents.OnSurvey"/>. The check may come after that event, without the gate.
    /// </summary>
    /// <returns>
    /// False if the check is impossible at the moment: nothing has been sent. If that turns out later, the event
    /// <see cref="IChildEvents.OnStopNotSent"/> follows.
    /// </returns>
    public abstract bool RequestStop(Descendant descendant, PosixSignal signal);

    /// <summary>
    /// Ends the child's reach at once. During <see cref="Start"/> this reaches the child alone, as soon as it exists,
    /// and makes the start return.
    /// </summary>
    public abstract void Kill();

    /// <summary>
    /// Ends a descendant outside the reach, after a check that its id still belongs to it. Called only inside
    /// <see cref="IChildEvents.OnSurvey"/>. The check may come after that event, without the gate.
    /// </summary>
    public abstract void Kill(Descendant descendant);

    /// <summary>
    /// Passes a Ctrl-C of the user on to the child's reach. Does nothing if the child gets it from the terminal.
    /// </summary>
    public abstract void Interrupt();

    /// <summary>Sends a signal of the caller's choice to the child alone.</summary>
    public abstract SignalDelivery TrySignal(PosixSignal signal);

    /// <summary>Excludes the child from the children that are killed when this process ends.</summary>
    public abstract void ExemptFromExitKill();

    /// <summary>
    /// Reads the bytes that a pipe holds now, on the thread of a sink that <see cref="OutputSink.ReadsItself"/>.
    /// </summary>
    /// <param name="stream">The pipe.</param>
    /// <param name="room">The destination of the bytes.</param>
    /// <param name="hasEnded">True at the end of the stream, which the reactor must see as well.</param>
    /// <returns>The number of bytes; zero if there are none.</returns>
    public abstract int Read(ChildOutput stream, Span<byte> room, out bool hasEnded);

    /// <summary>Resumes to watch a stream whose sink was full, or has read by itself.</summary>
    public abstract void ResumeOutput(ChildOutput stream);

    /// <summary>Writes the bytes that the input feed has by now.</summary>
    public abstract void ResumeInput();

    /// <summary>Drains the bytes that the pipes hold now, after the exit.</summary>
    /// <returns>True if all streams are at their end.</returns>
    public abstract bool DrainOutput();

    /// <summary>Returns whether the stream is a pipe whose writing end a process still holds open.</summary>
    public abstract bool IsOpen(ChildOutput stream);

    /// <summary>Closes an output pipe, if it is still open.</summary>
    public abstract void StopReading(ChildOutput stream);

    /// <summary>Reaps the child, closes every descriptor and leaves the reactor. The last call.</summary>
    /// <returns>The resources that the child has used.</returns>
    public abstract ResourceUse Release();
}
