using System;
using System.Collections.Immutable;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Simulated;

namespace ProcessRunner.Execution.Simulation;

/// <summary>Has the user's code answer the starts of a simulated engine.</summary>
internal sealed class Simulator(Func<ProcessCommand, SimulatedRun> answer) : ISimulator
{
    // The simulators whose code runs on this thread: an answer can run other commands.
    [ThreadStatic]
    private static ImmutableStack<Simulator>? s_answering;

    private readonly ConditionalWeakTable<ILaunchPlan, Simulation> _answers = [];

    public bool IsAnswering => s_answering?.Contains(this) == true;

    // Every plan is a pumped one, because the backend binds no file, and it serves the attempts to start one child
    // alone.
    public ISimulation Answer(ILaunchPlan plan) =>
        _answers.GetValue(plan, plan => Ask((ProcessCommand)((PumpedPlan)plan).Given));

    private Simulation Ask(ProcessCommand command)
    {
        ImmutableStack<Simulator> outer = s_answering ?? [];
        s_answering = outer.Push(this);
        try
        {
            SimulatedRun run = answer(command) ?? throw new InvalidOperationException(
                $"The simulation has no answer to '{command}': it returned null.");
            return new Simulation(command, run);
        }
        finally
        {
            s_answering = outer;
        }
    }

    private sealed class Simulation(ProcessCommand command, SimulatedRun run) : ISimulation
    {
        // The context of the caller, so that its code finds its own AsyncLocal values.
        private readonly ExecutionContext? _context = ExecutionContext.Capture();
        private int _attempts;

        public bool HandlesSignals => run.SignalHandler is not null;

        public void Start()
        {
            _attempts++;
            if (run.StartFailure is { } failure && _attempts <= (failure.Attempts ?? int.MaxValue))
            {
                throw new LaunchException(ErrorOf(failure.Step), (LaunchStep)failure.Step, failure.Reason);
            }
        }

        public int Play(SimulatedProcess process)
        {
            InContext(() => PlaySteps(process));
            return 0;
        }

        public ExitStatus? OnSignal(PosixSignal signal)
        {
            int? code = null;
            InContext(() => code = run.SignalHandler!(signal));
            return code is int exit ? ExitStatus.Exited(exit) : null;
        }

        private void InContext(Action code)
        {
            if (_context is null)
            {
                code();
            }
            else
            {
                ExecutionContext.Run(_context, static code => ((Action)code!)(), code);
            }
        }

        private void PlaySteps(SimulatedProcess process)
        {
            SimulatedProgram program = new(command, process);
            foreach (Action<SimulatedProgram> step in run.Steps)
            {
                if (process.HasEnded)
                {
                    return;
                }

                step(program);
            }
        }

        // The numbers of Unix (errno(3)).
        private static int ErrorOf(ProcessStartStep step) => step switch
        {
            ProcessStartStep.NotFound or ProcessStartStep.BadDirectory or ProcessStartStep.BadStreamFile => 2,
            ProcessStartStep.NotExecutable => 13,
            ProcessStartStep.BadFormat => 8,
            ProcessStartStep.TooLarge => 7,
            ProcessStartStep.OutOfDescriptors => 24,
            ProcessStartStep.OutOfResources => 11,
            ProcessStartStep.Busy => 26,
            _ => 5,
        };
    }
}
