namespace ProcessRunner.Backends.Simulated;

/// <summary>Answers the starts of children that are only simulated.</summary>
internal interface ISimulator
{
    /// <summary>Decides what a child does. Called once for each child, on the thread that starts it.</summary>
    ISimulation Answer(ILaunchPlan plan);
}
