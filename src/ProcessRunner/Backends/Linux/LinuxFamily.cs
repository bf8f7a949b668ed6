using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Runtime.Versioning;
using System.Threading;

namespace ProcessRunner.Backends.Linux;

/// <summary>Who sees to what descends from the children of one engine.</summary>
/// <remarks>
/// The guardian is there from the beginning, or for the moment in which this process may end. Its roll is kept as long, and takes
/// no lines otherwise. <c>_gate</c> is held by those that begin and end that moment; children's gates are taken inside it. Children
/// come without it, with their gates held: the roll is open before the children that live are put on it, so that none is missed.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class LinuxFamily : IDisposable
{
    private readonly Lock _gate = new();
    private readonly Spawner _spawner;

    // Made for the first guardian, and not closed before the end: starts have its number open.
    private volatile ChildRoll? _roll;
    private Guardian? _guardian;
    private bool _isDisposed;

    /// <param name="addLiveChildren">Adds the ids of our own children, which are nobody's descendants here.</param>
    /// <param name="spawner">Starts the guardian.</param>
    /// <param name="hasGuardian">Whether there is a guardian from the beginning.</param>
    /// <exception cref="ProcessStartException">The guardian cannot be started.</exception>
    /// <exception cref="Win32Exception">There is nothing to be had for its roll.</exception>
    public LinuxFamily(Action<HashSet<int>> addLiveChildren, Spawner spawner, bool hasGuardian)
    {
        _spawner = spawner;
        MarksAll = hasGuardian;
        Survey = new ProcessSurvey(MarkPrefix, addLiveChildren);
        if (hasGuardian)
        {
            try
            {
                Open();
                StartGuardian();
            }
            catch
            {
                _roll?.Dispose();
                Survey.Dispose();
                throw;
            }
        }
    }

    /// <summary>What the marks of all children begin with.</summary>
    public string MarkPrefix { get; } = ChildMark.NewPrefix();

    /// <summary>Whether each child gets a mark, whatever its <see cref="DescendantPolicy"/>, and is killed by it in the end.</summary>
    public bool MarksAll { get; }

    /// <summary>What each child keeps open until its exec; -1 for nothing.</summary>
    public int RollDescriptor => _roll?.Descriptor ?? -1;

    /// <summary>Finds the descendants.</summary>
    public ProcessSurvey Survey { get; }

    /// <summary>Puts a child that is to be started on the roll. With its gate held.</summary>
    public void OnStarting(LinuxChild child)
    {
        if (!MarksAll)
        {
            OnStarted(child);
        }
    }

    /// <summary>Puts a child that has been started on the roll. With its gate held.</summary>
    public void OnStarted(LinuxChild child)
    {
        try
        {
            _roll?.Kill(child);
        }
        catch (OutOfMemoryException)
        {
            // The run must not fail for it.
        }
    }

    /// <summary>Has a guardian let a child and its descendants live. With the child's gate held.</summary>
    public void Spare(LinuxChild child) => _roll?.Spare(child);

    /// <summary>A child has ended. With its gate held; takes no memory.</summary>
    public void OnEnded(LinuxChild child)
    {
        if (child.IsSpared)
        {
            return;
        }

        if (MarksAll)
        {
            _roll?.Remove(child);
        }
        else
        {
            // The signal may have ended the child as well, but not what it has left behind.
            _roll?.KillLeft(child);
        }
    }

    /// <summary>Has the children killed if this process ends now, and those that are started from now on.</summary>
    /// <exception cref="ProcessStartException">The guardian cannot be started.</exception>
    /// <exception cref="Win32Exception">There is nothing to be had for its roll.</exception>
    public void Guard(IEnumerable<LinuxChild> children)
    {
        lock (_gate)
        {
            if (_guardian is not null || _isDisposed)
            {
                return;
            }

            ChildRoll roll = Open();
            try
            {
                foreach (LinuxChild child in children)
                {
                    lock (child)
                    {
                        roll.Kill(child);
                    }
                }

                StartGuardian();
            }
            catch
            {
                roll.Clear();
                throw;
            }
        }
    }

    /// <summary>The moment has passed, and this process goes on.</summary>
    public void EndGuard()
    {
        lock (_gate)
        {
            if (!MarksAll && _guardian is Guardian guardian)
            {
                _guardian = null;
                guardian.LetGo();
                _roll!.Clear();
            }
        }
    }

    /// <summary>Ends the survey and the guardian; no child is left that could ask.</summary>
    public void Dispose()
    {
        Survey.Dispose();
        EndGuard();
        lock (_gate)
        {
            _isDisposed = true;
            _guardian?.Dispose();
            _roll?.Dispose();
        }
    }

    private ChildRoll Open()
    {
        ChildRoll roll = _roll ??= new ChildRoll();
        roll.Open();
        return roll;
    }

    private void StartGuardian() => _guardian = new Guardian(_spawner, MarkPrefix, killsUntold: MarksAll, RollDescriptor);
}
