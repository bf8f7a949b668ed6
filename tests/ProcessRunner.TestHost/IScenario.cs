namespace ProcessRunner.TestHost;

/// <summary>Something that must hold in a process of its own, because it changes what belongs to the whole process.</summary>
internal interface IScenario
{
    /// <summary>What the test calls it by.</summary>
    string Name { get; }

    /// <summary>Plays it; an exception is its failure.</summary>
    void Play(string[] arguments);
}
