namespace ProcessRunner.Backends.Simulated;

/// <summary>Answers the starts of children that are only simulated.</summary>
internal interface ISimulator
{
    /// <summary>
    /// Decides what a child does. Called on the thread that starts it; one plan has one answer, for all its attempts.
    /// </summary>
    ISimulation Answer(ILaunchPlan plan);

    /// <summary>Gets whether the calling thread decides what a child does, so that the child waits for it.</summary>
    bool IsAnswering { get; }
}
