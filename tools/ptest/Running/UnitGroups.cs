using System.Collections.Generic;
using System.Linq;
using PTest.Suites;
using PTest.Units;

namespace PTest.Running;

/// <summary>
/// Determines which units must not run at once: those of a configured group beyond its limit, and those of one
/// collection. xunit runs the classes of a collection one after another, as they share a fixture or what is outside of
/// it; and no framework runs a class beside itself, unless each test is to have a process.
/// </summary>
internal sealed class UnitGroups
{
    private readonly SessionOptions _options;
    private readonly Dictionary<string, int> _limits;
    private readonly HashSet<(TestAssembly, string)> _shared;

    /// <param name="options">How the tests run.</param>
    /// <param name="tests">All tests of the run.</param>
    public UnitGroups(SessionOptions options, IReadOnlyList<TestCase> tests)
    {
        _options = options;
        _limits = new Dictionary<string, int>(options.GroupLimits);
        _shared =
        [
            .. tests.GroupBy(test => (test.Assembly, test.Collection))
                .Where(collection => collection.Select(test => test.ClassName).Distinct().Count() > 1)
                .Select(collection => collection.Key),
        ];
        foreach (TestCase test in options.IgnoresParallelHints ? [] : tests)
        {
            _limits[NameOf(test)] = 1;
        }
    }

    /// <summary>Gets how many units of each group run at once.</summary>
    public IReadOnlyDictionary<string, int> Limits => _limits;

    /// <summary>Returns the group of a unit, or null. One that the user has configured comes first.</summary>
    public string? Of(TestUnit unit)
    {
        TestCase first = unit.Tests[0];
        bool isOfOne = unit.Tests.All(test => test.Collection == first.Collection);
        bool isAlone = unit.Purpose != UnitPurpose.First || unit.IsRest
            || _shared.Contains((first.Assembly, first.Collection));
        return _options.PolicyOf(first).Group
            ?? (isOfOne && isAlone && !_options.IgnoresParallelHints ? NameOf(first) : null);
    }

    /// <summary>
    /// Returns whether nothing may run beside a unit: its tests say so, or it repeats tests of several collections, and
    /// a unit has only one group.
    /// </summary>
    public bool RunsAlone(TestUnit unit) => !_options.IgnoresParallelHints
        && (unit.IsExclusive
            || (unit.Purpose is not (UnitPurpose.First or UnitPurpose.Again)
                && unit.Tests.Any(test => test.Collection != unit.Tests[0].Collection)));

    private static string NameOf(TestCase test) => $"{test.Assembly.FilePath}: {test.Collection}";
}
