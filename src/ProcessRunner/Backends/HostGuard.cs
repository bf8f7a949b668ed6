namespace ProcessRunner.Backends;

/// <summary>
/// Represents what can act for this process once a signal has ended it, and what tells of the loss of the terminal.
/// Thread-safe, except that one thread at a time begins and ends it.
/// </summary>
internal abstract class HostGuard
{
    /// <summary>
    /// Has the children killed, with their descendants, if this process ends in any way before <see cref="End"/>: those
    /// that live, those that are being started, and those that are started from now on, except those that are spared.
    /// Does nothing if that is already the case. May block for as long as the start of a process takes.
    /// </summary>
    /// <exception cref="LaunchException">The system lacks a resource.</exception>
    public abstract void Begin();

    /// <summary>Reverts the last <see cref="Begin"/>, because this process continues.</summary>
    public abstract void End();

    /// <summary>
    /// Notes each loss of the terminal from now on, without a thread and before the runtime's handler: the runtime
    /// calls registered handlers on the ThreadPool. Does nothing if the runtime has no handler.
    /// </summary>
    public virtual void NoteHangUps()
    {
    }

    /// <summary>Returns whether a loss of the terminal has been noted since the last call.</summary>
    public virtual bool TakeHangUp() => false;

    /// <summary>Ends this process as the loss of the terminal does, unless its code handles or ignores that.</summary>
    public virtual void HangUpUnlessHandled()
    {
    }
}
