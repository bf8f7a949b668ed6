namespace ProcessRunner.Backends;

/// <summary>
/// Acts for this process once a signal has ended it. Thread-safe, except that one thread at a time begins and ends it.
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
}
