namespace ProcessRunner.Backends.Windows.Start;

/// <summary>Describes what a child is started from.</summary>
/// <param name="Plan">The plan of the child.</param>
/// <param name="Inherited">
/// The environment that the child inherits, if its plan inherits one; null for the environment at the moment of the
/// start.
/// </param>
/// <param name="Slot">The variable that passes the child its slot in a batch.</param>
internal readonly record struct LaunchOrder(ILaunchPlan Plan, WindowsEnvironment? Inherited, SlotVariable Slot)
{
    /// <summary>Gets the console of the child, which is chosen at the moment of the start.</summary>
    public ConsoleChoice ConsoleChoice { get; init; }
}
