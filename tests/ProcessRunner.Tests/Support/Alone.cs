using Xunit;

namespace ProcessRunner.Tests.Support;

/// <summary>
/// The tests that count descriptors, threads or children of the whole process, or change what belongs to it: nothing
/// else runs beside them.
/// </summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class Alone
{
    public const string Name = "alone";
}
