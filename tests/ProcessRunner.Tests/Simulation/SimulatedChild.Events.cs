using System;
using System.Collections.Generic;
using System.Linq;
using ProcessRunner.Backends;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Reports the events of a simulated child.</summary>
internal sealed partial class SimulatedChild
{
    private void OnReady(Action handle)
    {
        bool isReleasedNow;
        lock (this)
        {
            if (IsReleased)
            {
                return;
            }

            handle();
            isReleasedNow = IsReleased;
        }

        if (isReleasedNow)
        {
            _events!.OnReleased();
        }
    }

    private void OnDeadline() => _events!.OnDeadline(_world.Now);

    private void ObserveExit() => TellExit();

    private void TellExit()
    {
        if (!IsExitTold)
        {
            IsExitTold = true;
            ToldStatus = Script.LosesStatus ? ExitStatus.Lost : Leader!.Status!.Value;
            WrittenAtExit = (OutputPipe?.Written ?? 0) + (ErrorPipe?.Written ?? 0);
            CloseInput();
            _events!.OnExit(ToldStatus);
        }
    }

    private void Answer()
    {
        List<Descendant> found =
        [
            .. Family.Skip(1)
                .Where(process => process.IsAlive && !process.IsHidden)
                .Select(process => new Descendant(process.Id, "descendant", IsInReach(process))),
        ];
        bool isLast = !_mayAnswerInParts;
        _mayAnswerInParts = false;
        if (!isLast)
        {
            found.RemoveAll(_ => _world.Dice.Percent(50));
            _world.Arm(_answer, _world.Now + _world.Dice.Ticks() / 20);
        }

        _isAnswering = true;
        _events!.OnSurvey(found, isLast);
        _isAnswering = false;
    }

    private void Write()
    {
        if (_input is null)
        {
            return;
        }

        InputFeed feed = _streams!.Input;
        int left = _world.Dice.Between(1, LongestWrite);
        while (left > 0 && _input is not null && feed.Pending is { IsEmpty: false } pending)
        {
            int count = _input.HasReader ? _input.Write(pending.Span[..Math.Min(left, pending.Length)]) : 0;
            if (!_input.HasReader)
            {
                CloseInput();
                return;
            }

            if (count == 0)
            {
                break;
            }

            feed.Advance(count);
            left -= count;
        }

        if (feed.Pending.IsEmpty && feed.IsComplete)
        {
            CloseInput();
        }
        else
        {
            _isInputWatched = !feed.Pending.IsEmpty;
            RefreshInput();
        }
    }

    private void RefreshInput()
    {
        if (_input is not null && _isInputWatched && (_input.Room > 0 || !_input.HasReader))
        {
            _world.Arm(_write, _world.Now);
        }
        else
        {
            _world.Cancel(_write);
        }
    }

    private void CloseInput()
    {
        if (_input is not null)
        {
            _input.Changed = null;
            _input.RemoveWriter();
            _input = null;
            _world.Cancel(_write);
            _streams!.Input.Abandon();
        }
    }

    private void ClosePipes()
    {
        _output?.Close();
        _error?.Close();
    }
}
