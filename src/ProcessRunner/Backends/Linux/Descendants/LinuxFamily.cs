using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Processes;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Descendants;

/// <summary>
/// Represents the services that one engine needs for the descendants of its children: their marks, the survey, the roll
/// and the guardian.
/// </summary>
/// <remarks>
/// <para>The guardian exists from the beginning, or for the moment in which this process may end. The roll accepts
/// lines only while there is a guardian. <c>_gate</c> is held while that moment begins or ends; the gates of children
/// are acquired inside it. Children do not take it and arrive with their own gates held: the roll is opened before the
/// live children are put on it, so that none is missed.</para>
/// <para><c>_exitGate</c> is held while the first child starts that is killed at the exit although those of its engine
/// are not. Neither gate is held while a guardian does its work, which a process that hangs in the kernel can hold
/// up.</para>
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class LinuxFamily : IDisposable
{
    // Far more than its passes over /proc take on an overloaded machine.
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);

    private readonly object _gate = new();
    private readonly object _exitGate = new();
    private readonly Spawner _spawner;
    private readonly LowDescriptorPool _lowDescriptors;

    // Created for the first guardian and not closed before the end, because starts keep its descriptor open.
    private volatile ChildRoll? _roll;
    private Guardian? _guardian;

    // For the children that are killed at the exit although those of their engine are not.
    private volatile ChildRoll? _exitRoll;
    private Guardian? _exitGuardian;
    private bool _isDisposed;

    /// <param name="addLiveChildren">
    /// Adds the process ids of this backend's own children, which are not reported as descendants.
    /// </param>
    /// <param name="spawner">The spawner that starts the guardian.</param>
    /// <param name="lowDescriptors">The reserved descriptors, which a guardian gets if it is short of some.</param>
    /// <param name="hasGuardian">Whether the guardian exists from the beginning.</param>
    /// <exception cref="LaunchException">The guardian cannot be started.</exception>
    /// <exception cref="Win32Exception">The roll cannot be created.</exception>
    public LinuxFamily(
        Action<HashSet<int>> addLiveChildren, Spawner spawner, LowDescriptorPool lowDescriptors, bool hasGuardian)
    {
        _spawner = spawner;
        _lowDescriptors = lowDescriptors;
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

    /// <summary>Gets the prefix of all children's marks.</summary>
    public string MarkPrefix { get; } = ChildMark.NewPrefix();

    /// <summary>
    /// Gets whether every child receives a mark, even if its plan needs none, and is killed by it in the end.
    /// </summary>
    public bool MarksAll { get; }

    /// <summary>Gets the descriptor that each child keeps open until its exec; -1 for none.</summary>
    public int RollDescriptor => _roll?.Descriptor ?? -1;

    /// <summary>Returns the descriptor that a child keeps open until its exec; -1 for none.</summary>
    public int RollFor(ILaunchPlan plan) =>
        plan.Settings is { KillsOnParentExit: true } && _exitRoll is ChildRoll roll ? roll.Descriptor : RollDescriptor;

    /// <summary>Gets the survey, which finds the descendants.</summary>
    public ProcessSurvey Survey { get; }

    /// <summary>Puts a child that is about to be started on the roll. Requires the child's gate.</summary>
    public void OnStarting(LinuxChild child)
    {
        if (!MarksAll)
        {
            List(child);
        }
    }

    /// <summary>
    /// Ensures that a child is killed when this process ends, although those of its engine may not be. Called before
    /// its start, without its gate.
    /// </summary>
    /// <exception cref="LaunchException">The guardian cannot be started.</exception>
    public void GuardAtExit(LinuxChild child)
    {
        if (MarksAll)
        {
            return;
        }

        try
        {
            WithReserve(BeginExitGuard);
        }
        catch (Win32Exception exception) when (exception is not LaunchException)
        {
            throw StartDiagnosis.Explain(exception);
        }

        using (Uninterruptible.Lock(child.Gate))
        {
            _exitRoll!.List(child);
        }
    }

    /// <summary>Puts a child that has been started on the roll. Requires the child's gate.</summary>
    public void OnStarted(LinuxChild child) => List(child);

    /// <summary>
    /// Excludes a child and its descendants from the guardian's kills. Requires the child's gate.
    /// </summary>
    public void Exempt(LinuxChild child)
    {
        _exitRoll?.Remove(child);
        _roll?.Spare(child);
    }

    /// <summary>
    /// Updates the roll for a child that has ended. Requires the child's gate. Allocates no memory.
    /// </summary>
    public void OnEnded(LinuxChild child)
    {
        if (child.IsExemptFromExitKill)
        {
            return;
        }

        _exitRoll?.Remove(child);

        if (MarksAll)
        {
            _roll?.Remove(child);
        }
        else
        {
            // The signal that ends this process may have ended the child as well, but not the processes that it left
            // behind.
            _roll?.ListMarkOnly(child);
        }
    }

    /// <summary>
    /// Starts a guardian, which kills the children if this process ends now, and also those that are started from now
    /// on.
    /// </summary>
    /// <exception cref="LaunchException">The guardian cannot be started.</exception>
    /// <exception cref="Win32Exception">The roll cannot be created.</exception>
    public void Guard(IEnumerable<LinuxChild> children) => WithReserve(() => BeginGuard(children));

    private void List(LinuxChild child)
    {
        try
        {
            _exitRoll?.Update(child);
            _roll?.List(child);
        }
        catch (OutOfMemoryException)
        {
            // A shortage of memory here must not fail the run.
        }
    }

    private void BeginGuard(IEnumerable<LinuxChild> children)
    {
        using (Uninterruptible.Lock(_gate))
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
                    lock (child.Gate)
                    {
                        roll.List(child);
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

    /// <summary>
    /// Ends the guardian because this process goes on: the moment in which it might have ended has passed.
    /// </summary>
    public void EndGuard()
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (!MarksAll && _guardian is Guardian guardian)
            {
                _guardian = null;
                guardian.Cancel();
                _roll!.Clear();
            }
        }
    }

    /// <summary>Ends the survey and the guardian. No child that could use them may be left.</summary>
    public void Dispose()
    {
        Survey.Dispose();
        EndGuard();
        Guardian? guardian;
        using (Uninterruptible.Lock(_gate))
        {
            _isDisposed = true;
            guardian = _guardian;
            _guardian = null;
        }

        guardian?.Finish(s_patience);
        _exitGuardian?.Finish(s_patience);
        _roll?.Dispose();
        _exitRoll?.Dispose();
    }

    private void BeginExitGuard()
    {
        using (Uninterruptible.Lock(_exitGate))
        {
            if (_exitGuardian is null)
            {
                _exitRoll ??= new ChildRoll();
                _exitRoll.Open();
                _exitGuardian = new Guardian(_spawner, MarkPrefix, killsUnlisted: false, _exitRoll.Descriptor);
            }
        }
    }

    private void WithReserve(Action action)
    {
        try
        {
            action();
        }
        catch (Win32Exception exception) when (exception.NativeErrorCode == Errno.EMFILE)
        {
            // Not in the filter, which runs before the action's locks are released.
            if (!_lowDescriptors.GiveUp())
            {
                throw;
            }

            action();
        }
    }

    private ChildRoll Open()
    {
        ChildRoll roll = _roll ??= new ChildRoll();
        roll.Open();
        return roll;
    }

    private void StartGuardian() =>
        _guardian = new Guardian(_spawner, MarkPrefix, killsUnlisted: MarksAll, RollDescriptor);
}
