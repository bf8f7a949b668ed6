using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner.Tests.Simulation;

/// <summary>
/// Represents one batch of a schedule, with the input and the reader that its user provides, and knows what must become
/// of it.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "A token source without a timer or a wait handle holds nothing.")]
internal sealed class SimulatedBatch : IProgress<BatchProgress>
{
    private static readonly Dictionary<string, int> s_noLimits = [];

    private readonly World _world;
    private readonly SimulatedEngine _engine;
    private readonly BatchItem[] _items;
    private readonly BatchOptions _options;
    private readonly BatchExecution _execution;
    private readonly AsyncBatchResults _batch;
    private readonly CancellationTokenSource _token = new();
    private readonly HashSet<(long Index, int Repetition)> _results = [];
    private readonly int _throwsAt;
    private readonly bool _isSlow;
    private readonly int _leavesAt;
    private int _passed;
    private bool _isStopped;
    private bool _isReadToTheEnd;

    [SuppressMessage("Usage", "CA1816", Justification = "The time of a collection would be no part of the schedule.")]
    public SimulatedBatch(World world, SimulatedEngine engine)
    {
        Dice dice = world.Dice;
        _world = world;
        _engine = engine;
        int count = dice.Percent(3) ? 100 : dice.Between(0, 8);
        _items = new BatchItem[count];
        for (int number = 0; number < count; number++)
        {
            _items[number] = ChooseItem(dice, number);
        }

        engine.Backend.Room = dice.Percent(80) ? int.MaxValue : dice.Between(1, 3);
        engine.Backend.Watched = CheckLimits;
        _throwsAt = dice.Percent(4) ? dice.Below(count + 1) : int.MaxValue;
        _leavesAt = dice.Percent(5) ? dice.Between(1, count + 1) : int.MaxValue;
        _isSlow = dice.Percent(20);
        _options = ChooseOptions(dice);
        _execution = new BatchExecution(_ => Input(), _options, _token.Token);
        _batch = new AsyncBatchResults(_execution);
        GC.SuppressFinalize(_batch);
    }

    /// <summary>Gets the task of the user who reads the results.</summary>
    public Task? Reader { get; private set; }

    /// <summary>Starts to read the results, which begins the batch.</summary>
    public void Begin()
    {
        Reader = ReadAsync();
        Happening action = _world.Dice.Below(8) switch
        {
            0 => Stop("cancels the batch", _token.Cancel),
            1 => Stop("stops the batch", _batch.RequestStop),
            2 => Stop("stops the starts of the batch", _batch.StopStarting),
            3 => Stop("ends the engine", EndEngine),
            _ => new Happening("user", "looks at the batch", () => Check(_batch.Progress)),
        };
        _world.Arm(action, _world.Now + _world.Dice.Ticks());
    }

    /// <summary>Ends a batch whose children never end.</summary>
    public void EndEngine()
    {
        _isStopped = true;
        _engine.Parts.Lives.Close();
        _execution.OnEngineDispose();
        _engine.End();
    }

    public void Report(BatchProgress value)
    {
        World.Require(!_world.IsOnReactor, "User code runs on no reactor.");
        Check(value);
        _world.Interleave(2);
    }

    /// <summary>Checks everything once the schedule is over.</summary>
    public void CheckEnd()
    {
        BatchProgress progress = _execution.Progress();
        Check(progress);
        World.Require(progress is { Queued: 0, Running: 0 }, "No command of an ended batch waits or runs.");
        World.Require(_engine.Backend.Tokens is null or { Held: 0 }, "All tokens are returned.");
        StopCause cause = _execution.StoppedBy;
        bool mayStop = _isStopped
            || _leavesAt != int.MaxValue
            || _throwsAt != int.MaxValue
            || _options.Timeout >= TimeSpan.Zero
            || (_options.OnFirstFailure != BatchFailureAction.Continue && progress.Failed > 0);
        World.Require(cause == StopCause.None || mayStop, $"Only its user stops a batch: {cause} does.");
        if (_isReadToTheEnd)
        {
            World.Require(_results.Count == progress.Passed + progress.Failed, "Each counted result is read.");
            World.Require(_passed == progress.Passed, "The number of successful results equals the count.");
        }

        if (cause == StopCause.None && _throwsAt == int.MaxValue && _leavesAt == int.MaxValue)
        {
            World.Require(_isReadToTheEnd, "The results of a batch that nothing stops are read to the end.");
            World.Require(_results.Count == _items.Length * _options.RepeatCount, "Each command has a result.");
            World.Require(progress.NotStarted == 0, "Each command is started.");
        }
    }

    private Happening Stop(string name, Action stop) => new("user", name, () =>
    {
        _isStopped = true;
        stop();
    });

    private static void Check(BatchProgress progress)
    {
        long sum = progress.Passed + progress.Failed + progress.NotStarted + progress.Queued + progress.Running;
        World.Require(progress.Read == sum, $"Each command is in one count: {progress.Read} are in {sum}.");
    }

    private BatchItem ChooseItem(Dice dice, int number)
    {
        string name = $"program {number}";
        _engine.Backend.Install(name, () => Script.ForChild(dice, number));
        ProcessCommand command = new(name)
        {
            Timeout = dice.Percent(30) ? dice.Span() : Timeout.InfiniteTimeSpan,
            StopGrace = dice.Span(),
            DrainGrace = dice.Span(),
        };
        return new BatchItem(command)
        {
            Tag = number,
            Slots = dice.Percent(80) ? 1 : 2,
            Group = dice.OneOf("a", "b", null),
            ExpectedRunTime = dice.Span(),
        };
    }

    private BatchOptions ChooseOptions(Dice dice) => new()
    {
        Engine = _engine.Engine,
        MaxConcurrency = dice.Between(1, 4),
        GroupLimits = dice.Percent(60) ? s_noLimits : new Dictionary<string, int> { ["a"] = 1, ["b"] = 2 },
        Order = dice.Percent(80) ? BatchOrder.AsGiven : BatchOrder.LongestFirst,
        OnFirstFailure = dice.Percent(70)
            ? BatchFailureAction.Continue
            : dice.OneOf(BatchFailureAction.StopRunning, BatchFailureAction.StopStarting),
        Retry = new BatchRetry { Count = dice.OneOf(0, 0, 0, 1, 2), Delay = dice.Span(), Jitter = 0.5 },
        RepeatCount = dice.Percent(90) ? 1 : 2,
        Timeout = dice.Percent(85) ? Timeout.InfiniteTimeSpan : dice.Span(),
        MinAvailableMemory = dice.Percent(90) ? 0 : 1,
        UseJobserver = dice.Percent(10),
        Progress = dice.Percent(20) ? this : null,
        ProgressInterval = TimeSpan.FromMilliseconds(500),
    };

    private IEnumerable<BatchItem> Input()
    {
        for (int index = 0; index < _items.Length; index++)
        {
            World.Require(!_world.IsOnReactor, "User code runs on no reactor.");
            _world.Interleave(2);
            if (index == _throwsAt)
            {
                throw new NotFiniteNumberException();
            }

            yield return _items[index];
        }
    }

    private async Task ReadAsync()
    {
        try
        {
            await foreach (BatchResult result in _batch)
            {
                Take(result);
                if (_results.Count == _leavesAt)
                {
                    return;
                }

                if (_isSlow)
                {
                    await Pause();
                }
            }

            _isReadToTheEnd = true;
        }
        catch (Exception exception) when (
            exception is OperationCanceledException or NotFiniteNumberException or ObjectDisposedException)
        {
            _isReadToTheEnd = true;
        }
    }

    private Task Pause()
    {
        TaskCompletionSource pause = new(TaskCreationOptions.RunContinuationsAsynchronously);
        _world.Arm(new Happening("user", "has paused", pause.SetResult), _world.Now + _world.Dice.Ticks());
        return pause.Task;
    }

    private void Take(BatchResult result)
    {
        _world.Log($"user: reads {result}");
        World.Require(_results.Add((result.Index, result.Repetition)), "Each command has one result.");
        bool isRetriedRightly = result.EarlierAttempts.Count <= _options.Retry.Count;
        World.Require(isRetriedRightly, "A command is not run more often than allowed.");
        World.Require(result.EarlierAttempts.All(attempt => !attempt.IsSuccess), "Only a failed command is run again.");
        _passed += result.IsSuccess ? 1 : 0;
        foreach (ProcessResult attempt in result.EarlierAttempts.Append(result.Result).OfType<ProcessResult>())
        {
            Release(attempt.StandardOutput, (3 * (int)result.Item.Tag!) + 1);
            Release(attempt.StandardError, (3 * (int)result.Item.Tag!) + 2);
        }
    }

    private static void Release(CapturedOutput captured, int stream)
    {
        long place = 0;
        foreach (ReadOnlyMemory<byte> segment in captured.Bytes)
        {
            bool isRight = segment.Span.SequenceEqual(Content.At(stream, place, segment.Length));
            World.Require(isRight, "The kept bytes are those of the stream.");
            place += segment.Length;
        }

        captured.Release();
    }

    // Called for each child, before its start.
    private void CheckLimits()
    {
        int used = 0;
        Dictionary<string, int> groups = [];
        HashSet<int> slots = [];
        foreach (SimulatedChild child in _engine.Backend.Live)
        {
            BatchItem item = _items[child.Script.Number];
            used += Math.Min(item.Slots, _options.MaxConcurrency);
            World.Require(slots.Add(child.Slot), "No two children have the same slot.");
            if (item.Group is string group && _options.GroupLimits.TryGetValue(group, out int limit))
            {
                groups[group] = groups.GetValueOrDefault(group) + Math.Min(item.Slots, limit);
                World.Require(groups[group] <= limit, "No group exceeds its limit.");
            }
        }

        World.Require(used <= _options.MaxConcurrency, $"No more slots are taken than there are: {used} are.");
    }
}
