namespace ProcessRunner.Backends;

/// <summary>
/// Sees the loss of the terminal without a thread and before the runtime's handler: the runtime calls registered
/// handlers on the ThreadPool. One thread at a time uses it.
/// </summary>
internal abstract class HangUpWatch
{
    /// <summary>Notes each loss of the terminal from now on. Does nothing if the runtime has no handler.</summary>
    public abstract void Note();

    /// <summary>Returns whether a loss of the terminal has been noted since the last call.</summary>
    public abstract bool Take();

    /// <summary>Ends this process as the loss of the terminal does, unless its code handles or ignores that.</summary>
    public abstract void EndUnlessHandled();
}
