namespace ProcessRunner.TestHost;

/// <summary>Represents a scenario that changes process-wide state and therefore runs in its own process.</summary>
internal interface IScenario
{
    /// <summary>Gets the name that a test uses.</summary>
    string Name { get; }

    /// <summary>Plays the scenario. An exception means that it failed.</summary>
    void Play(string[] arguments);
}
