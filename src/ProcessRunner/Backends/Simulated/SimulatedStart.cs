using System;
using ProcessRunner.Backends.Portable;

namespace ProcessRunner.Backends.Simulated;

/// <summary>Represents the start of a child that is only simulated.</summary>
internal sealed class SimulatedStart(ILaunchPlan plan, ISimulator simulator) : IPortableStart
{
    private ISimulation? _simulation;

    public ILaunchPlan Plan => plan;

    public int Pipes => PipesFor(plan.Input) + PipesFor(plan.Output) + PipesFor(plan.Error);

    public void Prepare() => _simulation ??= simulator.Answer(plan);

    public void Run(Action<PortableProcess> adopt)
    {
        _simulation!.Start();
        SimulatedProcess? process = null;
        try
        {
            process = new SimulatedProcess(plan, _simulation);
            adopt(process);
            process.Begin();
            process = null;
        }
        finally
        {
            process?.Dispose();
        }
    }

    private static int PipesFor(StreamBinding binding) => binding.Kind == StreamBindingKind.Pipe ? 1 : 0;
}
