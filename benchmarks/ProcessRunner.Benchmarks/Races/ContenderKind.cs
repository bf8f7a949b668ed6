namespace ProcessRunner.Benchmarks.Races;

/// <summary>Specifies the role of a contender in a race.</summary>
internal enum ContenderKind
{
    /// <summary>The contender shows the possible optimum.</summary>
    Reference,

    /// <summary>The contender is this library.</summary>
    Library,

    /// <summary>The contender is an alternative to this library.</summary>
    Rival,
}
