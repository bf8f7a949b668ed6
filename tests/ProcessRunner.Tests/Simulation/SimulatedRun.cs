using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Execution;

namespace ProcessRunner.Tests.Simulation;

/// <summary>
/// Represents one run of a schedule, with what its user does meanwhile, and knows what must become of it.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "A token source without a timer or a wait handle holds nothing.")]
internal sealed partial class SimulatedRun : IEndWaiter
{
    private const int FewBytes = 4000;

    private readonly World _world;
    private readonly EngineParts _parts;
    private readonly Script _script;
    private readonly StreamWitness _output;
    private readonly StreamWitness _error;
    private readonly CancellationTokenSource _stopToken = new();
    private readonly CancellationTokenSource _waitToken = new();
    private readonly List<Stop> _stops = [];
    private readonly List<Task> _waits = [];
    private readonly ReadOnlyMemory<byte> _input;
    private ChildLife? _life;
    private Task<ProcessResult>? _task;
    private ExceptionDispatchInfo? _startFailure;
    private ProcessResult? _result;
    private long _endedAt;
    private int _ends;
    private int _calls;
    private Task? _reader;
    private bool _hasLeft;
    private long _inputLeft;

    /// <summary>Prepares a run.</summary>
    /// <param name="world">The world of the run.</param>
    /// <param name="backend">The backend, which gets the program.</param>
    /// <param name="parts">The engine of the run.</param>
    /// <param name="number">The number of the run.</param>
    public SimulatedRun(World world, SimulatedBackend backend, EngineParts parts, int number)
    {
        _world = world;
        _parts = parts;
        Number = number;
        _script = Script.ForChild(world.Dice, number);
        MayBeLive = _script.Bytes < FewBytes;
        _output = new StreamWitness(world, this, ChildOutput.Output);
        _error = new StreamWitness(world, this, ChildOutput.Error);
        _inputLeft = world.Dice.OneOf(0, 10, 2000, 20_000);
        _input = Content.First(3 * number, (int)_inputLeft);
        Command = ChooseCommand(world.Dice);
        backend.Install(Command.FileName, () => _script);
    }

    public int Number { get; }

    public ProcessCommand Command { get; }

    public SimulatedChild Child => (SimulatedChild)_life!.Child;

    public bool HasEnded => _ends > 0;

    /// <summary>Gets whether nothing of the run is left, neither at the library nor at its user.</summary>
    public bool IsOver => HasEnded && _reader is null or { IsCompleted: true };

    /// <summary>Gets whether all lines fit into the queue for their reader, so that no thread blocks.</summary>
    public bool MayBeLive { get; }

    IEndWaiter? IEndWaiter.Next { get; set; }

    /// <summary>Starts the run, or finds that its engine has been disposed.</summary>
    public void Start()
    {
        try
        {
            _life = ChildLife.Create(new StartOrder(Command) { IsHandedOut = true }, _parts);
        }
        catch (ObjectDisposedException)
        {
            _ends = 1;
            return;
        }

        _life.Completion.Add(this);
        _task = _life.WaitOrStopAsync(_stopToken.Token);
        PlanActions();
        _life.StartAsync();
    }

    /// <summary>Handles the end of the engine: the product stops every run by itself.</summary>
    public void NoteEngineEnd()
    {
        if (_life is { IsExemptFromExitKill: false })
        {
            NoteStop(StopCause.EngineDispose, TimeSpan.Zero);
        }
    }

    /// <summary>Kills the run, even if it outlives its engine.</summary>
    public void Kill()
    {
        NoteStop(StopCause.Request, TimeSpan.Zero);
        _life?.Stop(StopCause.Request, TimeSpan.Zero);
    }

    public SimulatedPipe? PipeOf(int stream) => stream % 3 == 1 ? Child.OutputPipe : Child.ErrorPipe;

    public void BeginCall()
    {
        bool mayBeAbandoned = IsLimited || _stops.Count > 0;
        World.Require(_calls == 0 || mayBeAbandoned, "The user is called for one stream of a run at a time.");
        _calls++;
    }

    public void EndCall() => _calls--;

    /// <summary>Returns the reason why the run may still be under way although nothing happens, or null.</summary>
    public string? Excuse()
    {
        if (HasEnded || _life is null)
        {
            return "it has ended";
        }

        if (Child.Leader is not SimulatedProcess leader)
        {
            return Child.IsStarting ? "its start hangs" : null;
        }

        if (leader.IsAlive)
        {
            return leader.Current.Deed switch
            {
                Deed.Hang => "it hangs",
                Deed.Read when Child.IsInputOpen => "it waits for its user",
                _ => null,
            };
        }

        bool isPatient = Command.DrainGrace < TimeSpan.Zero || Command.StopGrace < TimeSpan.Zero;
        return isPatient && Child.Family.Exists(process => process.IsAlive) ? "it waits for a descendant" : null;
    }

    void IEndWaiter.OnEnded(ProcessResult? result, ExceptionDispatchInfo? startFailure)
    {
        World.Require(++_ends == 1, "A waiter is notified once.");
        World.Require(Child.IsReleased, "A run ends once its child is released.");
        _world.Log($"run {Number}: ends: {result?.ToString() ?? startFailure?.SourceException.Message}");
        _endedAt = _world.Now;
        _result = result;
        _startFailure = startFailure;
        if (result is not null)
        {
            CheckDescendants(result);
        }
    }

    public override string ToString() => $"run {Number}";

    private bool IsLimited => Command.Timeout >= TimeSpan.Zero
        || Command.IdleTimeout >= TimeSpan.Zero
        || _output.StopLimit < long.MaxValue
        || _error.StopLimit < long.MaxValue;

    private ProcessCommand ChooseCommand(Dice dice)
    {
        ProcessCommand command = new($"program {Number}")
        {
            StandardOutput = _output.Target,
            StandardError = _error.Target,
            StandardInput = dice.Below(5) switch
            {
                0 => InputSource.FromBytes(_input),
                1 => InputSource.Pipe,
                _ => InputSource.Null,
            },
            Timeout = dice.Percent(35) ? dice.Span() : Timeout.InfiniteTimeSpan,
            StopGrace = dice.Percent(90) ? dice.Span() : Timeout.InfiniteTimeSpan,
            DrainGrace = dice.Percent(90) ? dice.Span() : Timeout.InfiniteTimeSpan,
            Descendants = dice.OneOf(
                DescendantPolicy.KillOnStop,
                DescendantPolicy.KillOnStop,
                DescendantPolicy.KillAlways,
                DescendantPolicy.Report,
                DescendantPolicy.Leave),
            GroupMode = dice.Percent(70) ? ProcessGroupMode.Own : ProcessGroupMode.Inherit,
        };
        bool isHeard = _output.Target != OutputTarget.Null && _error.Target.Binding.Kind != StreamBindingKind.Inherit;
        return isHeard && dice.Percent(20) ? command with { IdleTimeout = dice.Span() } : command;
    }

    private void PlanActions()
    {
        for (int left = _world.Dice.Below(4); left > 0; left--)
        {
            (string name, Action action) = ChooseAction(_world.Dice);
            _world.Arm(new Happening("user", $"{name} of run {Number}", action), _world.Now + _world.Dice.Ticks());
        }

        if (Command.StandardInput == InputSource.Pipe)
        {
            PlanWrite(isOver: false);
        }

        if (_output.IsLive || _error.IsLive)
        {
            _reader = ReadLinesAsync();
        }
    }

    private (string Name, Action Action) ChooseAction(Dice dice)
    {
        ChildProcess child = new(_life!);
        TimeSpan grace = dice.Span();
        return dice.Below(16) switch
        {
            < 2 => ("cancellation", () => StopBy(StopCause.CancellationToken, Command.StopGrace, _stopToken.Cancel)),
            < 4 => ("stop", () => StopBy(StopCause.Request, grace, () => _waits.Add(child.StopAsync(grace)))),
            4 => ("kill", () => StopBy(StopCause.Request, TimeSpan.Zero, child.Kill)),
            5 => ("disposal", () => StopBy(StopCause.Dispose, Command.StopGrace, () => Await(child.DisposeAsync()))),
            6 => ("signal", () => _ = _life!.ProcessId != 0 && child.Signal(PosixSignal.SIGTERM)),
            7 => ("interrupt", () => _ = _life!.TryInterrupt()),
            8 => ("detachment", _life!.ExemptFromExitKill),
            9 => ("cancellation of a wait", _waitToken.Cancel),
            _ => ("wait", () => _waits.Add(child.WaitAsync(_waitToken.Token))),
        };
    }

    private void Await(ValueTask task) => _waits.Add(task.AsTask());

    private void StopBy(StopCause cause, TimeSpan grace, Action stop)
    {
        NoteStop(cause, grace);
        stop();
    }

    private void NoteStop(StopCause cause, TimeSpan grace)
    {
        if (_life is not null && !HasEnded)
        {
            _stops.Add(new Stop(_world.Now, cause, grace, Child.IsExitTold, Child.Attempts));
        }
    }

    // The user writes piece by piece, without waiting for the child, and closes the input at its end, or never.
    private void WriteInput()
    {
        if (_life!.ProcessId == 0)
        {
            PlanWrite(isOver: HasEnded);
            return;
        }

        int place = _input.Length - (int)_inputLeft;
        int count = (int)Math.Min(_inputLeft, _world.Dice.Between(1, 30_000));
        System.IO.Stream stream = new ChildProcess(_life!).StandardInput;
        if (count > 0)
        {
            Await(stream.WriteAsync(_input.Slice(place, count)));
            _inputLeft -= count;
        }

        PlanWrite(isOver: _inputLeft == 0);
        if (_inputLeft == 0 && _world.Dice.Percent(90))
        {
            stream.Dispose();
        }
    }

    // The user reads as soon as there is a child, or later, and may leave before the end.
    private async Task ReadLinesAsync()
    {
        bool isSlow = _world.Dice.Percent(30);
        bool keepRunning = _world.Dice.Percent(50);
        int left = _world.Dice.Percent(80) ? int.MaxValue : _world.Dice.Below(20);
        while (_life!.ProcessId == 0 && !HasEnded)
        {
            await Pause();
        }

        if (_life.ProcessId == 0)
        {
            return;
        }

        await foreach (OutputLine line in new ChildProcess(_life).ReadLinesAsync(keepRunning))
        {
            if (left-- == 0)
            {
                Leave(keepRunning);
                return;
            }

            (line.IsError ? _error : _output).Take(line);
            if (isSlow)
            {
                await Pause();
            }
        }
    }

    private void Leave(bool keepRunning)
    {
        _hasLeft = true;
        if (!keepRunning)
        {
            NoteStop(StopCause.Request, Command.StopGrace);
        }
    }

    private Task Pause()
    {
        TaskCompletionSource pause = new(TaskCreationOptions.RunContinuationsAsynchronously);
        long end = _world.Now + Math.Max(1, _world.Dice.Ticks() / 10);
        _world.Arm(new Happening("user", $"continues to read run {Number}", pause.SetResult), end);
        return pause.Task;
    }

    private void PlanWrite(bool isOver)
    {
        if (!isOver)
        {
            long pause = Math.Max(1, _world.Dice.Ticks());
            _world.Arm(new Happening("user", $"writes to run {Number}", WriteInput), _world.Now + pause);
        }
    }

    /// <summary>A stop by the user.</summary>
    /// <param name="At">Its instant.</param>
    /// <param name="Cause">Its cause.</param>
    /// <param name="Grace">The time until SIGKILL.</param>
    /// <param name="IsAfterExit">Whether the exit had been reported before.</param>
    /// <param name="Attempts">The number of attempts to start that had been made before.</param>
    private readonly record struct Stop(long At, StopCause Cause, TimeSpan Grace, bool IsAfterExit, int Attempts);
}
