namespace ProcessRunner.Benchmarks.Races;

/// <summary>What a contender is in the race for.</summary>
internal enum ContenderKind
{
    /// <summary>It shows what is possible.</summary>
    Reference,

    /// <summary>It is this library.</summary>
    Library,

    /// <summary>It is what somebody would use instead.</summary>
    Rival,
}
