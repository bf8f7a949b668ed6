using System;
using System.Collections.Generic;
using System.Linq;
using Xunit;
using Xunit.Abstractions;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Lets the classes begin first that take the longest, so that none of them is left at the end.</summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    public const string TypeName = "ProcessRunner.TestRunner.Tests." + nameof(LongestFirst);
    public const string AssemblyName = "ProcessRunner.TestRunner.Tests";

    private static readonly string[] s_longest =
    [
        nameof(HostileNUnitByClassTests), nameof(HostileMSTestAdaptiveTests),
        nameof(HostileMSTestByClassTests), nameof(HostileSuiteTests), nameof(HostileV3Tests), nameof(OptionTests),
        nameof(FixtureLimitTests), nameof(EndTests), nameof(OddTests), nameof(ConfigurationTests),
        nameof(ManySuiteTests),
    ];

    public IEnumerable<ITestCollection> OrderTestCollections(IEnumerable<ITestCollection> testCollections) =>
        testCollections.OrderBy(collection => (uint)Array.FindIndex(
            s_longest, name => collection.DisplayName.EndsWith($".{name}", StringComparison.Ordinal)));
}
