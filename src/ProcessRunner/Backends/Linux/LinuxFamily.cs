using System;
using System.Collections.Generic;
using System.Runtime.Versioning;
using System.Threading;

namespace ProcessRunner.Backends.Linux;

/// <summary>Who sees to what descends from the children of one engine.</summary>
/// <remarks>
/// The guardian is there from the beginning, or for the moment in which this process may end. <c>_gate</c> is held by those
/// that begin and end that moment; children's gates are taken inside it. Children ask without it, with their gates held: the
/// guardian is published before the children that live are told to it, so that none is missed.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class LinuxFamily : IDisposable
{
    private readonly Lock _gate = new();
    private readonly Spawner _spawner;
    private volatile Guardian? _guardian;
    private bool _isDisposed;

    /// <param name="addLiveChildren">Adds the ids of our own children, which are nobody's descendants here.</param>
    /// <param name="spawner">Starts the guardian.</param>
    /// <param name="hasGuardian">Whether there is a guardian from the beginning.</param>
    /// <exception cref="ProcessStartException">The guardian cannot be started.</exception>
    public LinuxFamily(Action<HashSet<int>> addLiveChildren, Spawner spawner, bool hasGuardian)
    {
        _spawner = spawner;
        MarksAll = hasGuardian;
        Survey = new ProcessSurvey(MarkPrefix, addLiveChildren);
        if (hasGuardian)
        {
            try
            {
                _guardian = new Guardian(MarkPrefix, killsUntold: true);
                _guardian.Start(spawner);
            }
            catch
            {
                Survey.Dispose();
                throw;
            }
        }
    }

    /// <summary>What the marks of all children begin with.</summary>
    public string MarkPrefix { get; } = ChildMark.NewPrefix();

    /// <summary>Whether each child gets a mark, whatever its <see cref="DescendantPolicy"/>.</summary>
    public bool MarksAll { get; }

    /// <summary>Finds the descendants.</summary>
    public ProcessSurvey Survey { get; }

    /// <summary>Tells a guardian that is there for the moment of a child that is to be started, or has been. With its gate held.</summary>
    public void Announce(LinuxChild child)
    {
        if (_guardian is { KillsUntold: false } guardian)
        {
            try
            {
                Announce(child, guardian, new ProcessTable());
            }
            catch (OutOfMemoryException)
            {
                // The run must not fail for it.
            }
        }
    }

    /// <summary>Has a guardian let a child and its descendants live. With the child's gate held.</summary>
    public void Spare(LinuxChild child) => _guardian?.Tell(Guardian.Spare(child.Number));

    /// <summary>Has the children killed if this process ends now, and those that are started from now on.</summary>
    /// <exception cref="ProcessStartException">The guardian cannot be started.</exception>
    public void Guard(IEnumerable<LinuxChild> children)
    {
        lock (_gate)
        {
            if (_guardian is not null || _isDisposed)
            {
                return;
            }

            Guardian guardian = new(MarkPrefix, killsUntold: false);
            _guardian = guardian;
            try
            {
                ProcessTable table = new();
                foreach (LinuxChild child in children)
                {
                    lock (child)
                    {
                        Announce(child, guardian, table);
                    }
                }

                guardian.Start(_spawner);
            }
            catch
            {
                _guardian = null;
                throw;
            }
        }
    }

    /// <summary>The moment has passed, and this process goes on.</summary>
    public void EndGuard()
    {
        lock (_gate)
        {
            if (_guardian is { KillsUntold: false } guardian)
            {
                _guardian = null;
                guardian.LetGo();
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
        }
    }

    private static void Announce(LinuxChild child, Guardian guardian, ProcessTable table)
    {
        if (child.IsSpared)
        {
            return;
        }

        guardian.Tell(Guardian.Kill(child.Number));
        if (child.ReadStartTime(table) is ulong startTime)
        {
            guardian.Tell(Guardian.Child(child.Number, child.ProcessId, startTime, child.LeadsGroup));
        }
    }
}
