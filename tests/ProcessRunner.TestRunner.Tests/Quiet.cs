using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Holds the tests beside which no others run.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class Quiet
{
    public const string Name = "Quiet";
}
