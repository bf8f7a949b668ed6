using Xunit;

namespace ProcessRunner.Tests.Support;

/// <summary>
/// Marks the tests that count the descriptors, threads or children of the whole process, or change its state. No other
/// test runs in parallel with them.
/// </summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class Alone
{
    public const string Name = "alone";
}
