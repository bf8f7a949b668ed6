using System;
using System.ComponentModel;
using System.IO;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>
/// Represents one engine for <see cref="EndingSignals"/>. The engine is watched while it has children and a little
/// longer, so that the work is done once for many children instead of once for each.
/// </summary>
/// <remarks>Only <see cref="EndingSignals"/> changes it, with its own gate held.</remarks>
internal sealed class EngineGuard(ProcessBackend backend, HostGuard host, LiveRuns lives)
{
    private static readonly TimeSpan s_retryInterval = TimeSpan.FromMilliseconds(20);

    private bool _isWatched;
    private BackendTimer? _retry;

    /// <summary>Gets the guard of the backend.</summary>
    public HostGuard Host => host;

    /// <summary>Gets the watch over the loss of the terminal, or null.</summary>
    public HangUpWatch? HangUps => backend.HangUps;

    /// <summary>Gets whether the engine has a live child.</summary>
    public bool HasChildren => lives.Count > 0;

    /// <summary>Gets or sets whether <see cref="EndingSignals"/> watches for signals on behalf of the engine.</summary>
    public bool IsWatched
    {
        get => Volatile.Read(ref _isWatched);
        set => Volatile.Write(ref _isWatched, value);
    }

    /// <summary>Handles the start of a child.</summary>
    public void OnStart()
    {
        // The child is counted before this read, and the count is read again after IsWatched is reset.
        Interlocked.MemoryBarrier();
        if (!IsWatched)
        {
            EndingSignals.Shared.Watch(this);
        }
    }

    /// <summary>
    /// Has the engine watched in a moment, because there is no thread for it now. Called by <see cref="EndingSignals"/>
    /// with its gate held.
    /// </summary>
    public void WatchLater()
    {
        try
        {
            _retry ??= backend.CreateTimer(_ => WatchChildren());
            _retry.Set(MonotonicClock.In(s_retryInterval));
        }
        catch (OutOfMemoryException)
        {
            // The next start tries again.
        }
    }

    /// <summary>
    /// Ensures that the children are killed if this process ends now. If that is impossible, the children live on.
    /// </summary>
    public void Begin()
    {
        try
        {
            if (HasChildren)
            {
                host.Begin();
            }
        }
        catch (Exception exception) when (exception is Win32Exception or IOException or OutOfMemoryException)
        {
            // The signal must end this process nevertheless.
        }
    }

    /// <summary>Ends the guard: this process goes on, or has no children left.</summary>
    public void End() => host.End();

    // Runs on a reactor's thread.
    private void WatchChildren()
    {
        if (HasChildren)
        {
            OnStart();
        }
    }
}
