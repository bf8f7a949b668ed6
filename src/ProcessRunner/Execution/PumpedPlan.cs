using System.Collections.Generic;
using System.Collections.Immutable;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution;

/// <summary>
/// Describes a child for a backend that cannot bind some of its streams: this process pumps them, through pipes.
/// </summary>
internal sealed class PumpedPlan(ILaunchPlan plan, BackendCapabilities capabilities) : ILaunchPlan
{
    public string FileName => plan.FileName;

    public ImmutableArray<string> Arguments => plan.Arguments;

    public string? ArgumentZero => plan.ArgumentZero;

    public string? WorkingDirectory => plan.WorkingDirectory;

    public IReadOnlyDictionary<string, string?> Environment => plan.Environment;

    public bool InheritEnvironment => plan.InheritEnvironment;

    public StreamBinding Input => Pumped(plan.Input, capabilities);

    public StreamBinding Output => Pumped(plan.Output, capabilities);

    public StreamBinding Error => Pumped(plan.Error, capabilities);

    public LaunchGroup Group => plan.Group;

    public bool FindsDescendants => plan.FindsDescendants;

    // Only simulated children have such settings here, and they ignore them.
    public ILaunchSettings? Settings => plan.Settings;

    /// <summary>Returns the plan that the backend can carry out: the given one, if it needs no pump.</summary>
    public static ILaunchPlan For(ILaunchPlan plan, BackendCapabilities capabilities) =>
        capabilities is { BindsFiles: true, ConnectsChildren: true } ? plan : new PumpedPlan(plan, capabilities);

    /// <summary>Gets the plan that was given.</summary>
    public ILaunchPlan Given => plan;

    private static StreamBinding Pumped(StreamBinding binding, BackendCapabilities capabilities) =>
        capabilities.Pumps(binding.Kind) ? new StreamBinding(StreamBindingKind.Pipe) : binding;
}
