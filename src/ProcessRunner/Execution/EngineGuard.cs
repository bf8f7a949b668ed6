using System;
using System.ComponentModel;
using System.IO;
using System.Threading;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution;

/// <summary>
/// One engine as <see cref="EndingSignals"/> sees it. It is watched while it has children, and a little longer: what would have
/// to be done for each child is done once for many.
/// </summary>
/// <remarks>Written by <see cref="EndingSignals"/> alone, with its gate held.</remarks>
internal sealed class EngineGuard(ProcessBackend backend)
{
    private bool _isWatched;

    /// <summary>Where its children are.</summary>
    public ProcessBackend Backend => backend;

    /// <summary>Whether it has a live child.</summary>
    public bool HasChildren => backend.LiveChildren > 0;

    /// <summary>Whether a signal is looked out for on its behalf.</summary>
    public bool IsWatched
    {
        get => Volatile.Read(ref _isWatched);
        set => Volatile.Write(ref _isWatched, value);
    }

    /// <summary>The engine has one more live child.</summary>
    public void OnStart()
    {
        // The child is counted before this is read, and counted anew after this has been taken back.
        Interlocked.MemoryBarrier();
        if (!IsWatched)
        {
            EndingSignals.Shared.Watch(this);
        }
    }

    /// <summary>Has the children killed if this process ends now. Where that cannot be had they live on.</summary>
    public void Begin()
    {
        try
        {
            if (HasChildren)
            {
                backend.Guard();
            }
        }
        catch (Exception exception) when (exception is Win32Exception or IOException or OutOfMemoryException)
        {
            // The signal must end this process all the same.
        }
    }

    /// <summary>This process goes on, or has no children any more.</summary>
    public void End() => backend.EndGuard();
}
