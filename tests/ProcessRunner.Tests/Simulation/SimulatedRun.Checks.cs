using System;
using System.Collections.Generic;
using System.Linq;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Checks the invariants of a run at its end.</summary>
internal sealed partial class SimulatedRun
{
    // The longest time that the product gives what a stop leaves behind, and that the kernel takes here: five seconds
    // for each process that does not die, a second each for a start that hangs and for receivers.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(45);

    /// <summary>Checks everything once the schedule is over.</summary>
    public void CheckEnd()
    {
        if (_life is null)
        {
            return;
        }

        World.Require(_ends == 1 && _life.HasEnded, "Every run ends, once.");
        World.Require(_waits.TrueForAll(wait => wait.IsCompleted), "Every wait and write of an ended run is over.");
        CheckTask();
        CheckInTime();
        if (_result is null)
        {
            World.Require(_startFailure is not null, "A run ends with a result or with the failure of its start.");
            World.Require(Child.Leader is null, "A start that failed leaves no process.");
            return;
        }

        World.Require(Child.IsExitTold && _result.Status == Child.ToldStatus, "The status is that of the child.");
        World.Require(_result.StartAttempts == Child.Attempts, "Every attempt to start is counted.");
        CheckCause(_result);
        CheckStreams(_result);
        _result.StandardOutput.Release();
        _result.StandardError.Release();
    }

    private void CheckTask()
    {
        World.Require(_task!.IsCompleted, "The task of an ended run is complete.");
        bool isStopped = _stopToken.IsCancellationRequested
            && _result is null or { StoppedBy: StopCause.CancellationToken };
        World.Require(!_task.IsCanceled || isStopped, "Only a token cancels a task.");
        if (_task.IsCompletedSuccessfully)
        {
            bool isSame = _task.Result == _result && _result!.DeliveryFailure is null;
            World.Require(isSame, "The task has the result of its run.");
        }
        else
        {
            // Observed.
            _ = _task.Exception;
        }
    }

    private void CheckStreams(ProcessResult result)
    {
        long taken = (Child.OutputPipe?.Taken ?? 0) + (Child.ErrorPipe?.Taken ?? 0);
        long written = Child.WrittenAtExit;
        World.Require(taken >= written, $"The bytes in the pipes at the exit are read: {taken} of {written}.");
        bool mayBeCut = result.DeliveryFailure is not null || _stops.Count > 0 || result.StoppedBy != StopCause.None;
        if (_reader is not null && !_hasLeft)
        {
            _reader.GetAwaiter().GetResult();
            _output.CheckLines(Child.OutputPipe);
            _error.CheckLines(Child.ErrorPipe);
        }

        bool hasThrown = _output.HasThrownInTime || _error.HasThrownInTime;
        World.Require(!hasThrown || result.DeliveryFailure is not null, "The exception of a callback is reported.");
        _output.Check(result.StandardOutput, Child.OutputPipe, mayBeCut);
        _error.Check(result.StandardError, Child.ErrorPipe, mayBeCut);
    }

    // The first cause wins, if it came before the exit.
    private void CheckCause(ProcessResult result)
    {
        List<StopCause> possible = [];
        Stop? first = _stops.Where(stop => !stop.IsAfterExit).Select(stop => (Stop?)stop).FirstOrDefault();
        long until = first?.At ?? _endedAt;
        if (until >= MonotonicClock.After(Child.BeganAt, Command.Timeout))
        {
            possible.Add(StopCause.Timeout);
        }

        if (until >= MonotonicClock.After(Child.BeganAt, Command.IdleTimeout))
        {
            possible.Add(StopCause.IdleTimeout);
        }

        if (Child.OutputPipe?.Taken > _output.StopLimit || Child.ErrorPipe?.Taken > _error.StopLimit)
        {
            possible.Add(StopCause.OutputLimit);
        }

        if (first is not null)
        {
            possible.Add(first.Value.Cause);
        }
        else
        {
            // A stop after the exit counts if the receivers are given up for it.
            possible.AddRange(_stops.Select(stop => stop.Cause));
            possible.Add(StopCause.None);
        }

        World.Require(
            possible.Contains(result.StoppedBy),
            $"The first cause wins: {result.StoppedBy} instead of {string.Join(" or ", possible)}.");
        bool isOverLimit = Child.OutputPipe?.Taken > _output.StopLimit || Child.ErrorPipe?.Taken > _error.StopLimit;
        World.Require(!isOverLimit || result.StoppedBy != StopCause.None, "Output over the limit stops the run.");
    }

    // No limit is missed in virtual time.
    private void CheckInTime()
    {
        TimeSpan[] graces = [.. _stops.Select(stop => stop.Grace), Command.StopGrace, Command.DrainGrace];
        long began = Child.BeganAt == MonotonicClock.Never ? _endedAt : Child.BeganAt;
        long stopAt = _stops.Select(stop => stop.At).Append(MonotonicClock.After(began, Command.Timeout)).Min();
        if (stopAt != MonotonicClock.Never && Array.TrueForAll(graces, grace => grace >= TimeSpan.Zero))
        {
            long limit = MonotonicClock.After(MonotonicClock.After(stopAt, graces.Max()), s_patience) + _world.Lateness;
            World.Require(_endedAt <= limit, "A stopped run ends in time.");
        }

        foreach (Stop stop in _stops)
        {
            CheckSignals(stop);
        }
    }

    // A child is asked to end when it is stopped, or as soon as it runs, and is killed once its time is up.
    private void CheckSignals(Stop stop)
    {
        int attempts = Math.Max(1, stop.Attempts);
        World.Require(Child.Attempts <= attempts, "A start that fails after a stop is not tried again.");
        if (Child.Leader is not SimulatedProcess leader || stop.IsAfterExit)
        {
            return;
        }

        long askBy = Math.Max(stop.At, Child.StartedAt) + _world.Lateness;
        bool isAsked = Math.Min(leader.AskedAt, leader.KilledAt) <= askBy;
        World.Require(leader.DiedAt <= askBy || isAsked, "A stopped child is asked to end.");
        long killAt = MonotonicClock.After(stop.At, stop.Grace);
        if (killAt != MonotonicClock.Never)
        {
            long killBy = Math.Max(killAt, Child.StartedAt) + _world.Lateness;
            World.Require(leader.DiedAt <= killBy || leader.KilledAt <= killBy, "A child is killed after its grace.");
        }
    }

    private void CheckDescendants(ProcessResult result)
    {
        bool mustSettle = Command.Descendants == DescendantPolicy.KillAlways
            || (Command.Descendants == DescendantPolicy.KillOnStop && Child.IsStopped);
        if (mustSettle)
        {
            HashSet<int> reported = [.. result.SurvivingDescendants.Select(survivor => survivor.ProcessId)];
            SimulatedProcess? forgotten = Child.Family.Skip(1).FirstOrDefault(
                process => process.IsAlive && !process.IsHidden && !reported.Contains(process.Id));
            World.Require(forgotten is null, $"No descendant survives unreported: {forgotten} does.");
        }
    }
}
