using System.Collections.Generic;
using System.Linq;
using ProcessRunner;
using PTest.Suites;

namespace PTest.Running;

/// <summary>Represents a process that tests left behind.</summary>
/// <param name="CommandLine">Its command line.</param>
/// <param name="Owners">The tests that may have started it.</param>
/// <param name="Row">The name of the row of data after which it was first seen; null if it was not.</param>
internal sealed record Leak(string CommandLine, IReadOnlyList<TestCase> Owners, string? Row)
{
    /// <summary>Gets what the tests of an ended process left behind. All of it has been ended by then.</summary>
    /// <remarks>
    /// A process that the host has seen has its owners, however the host ended. A process that only the runner has
    /// found may be anyone's. After a crash or a stop it is rather a consequence of that, which is no leak.
    /// </remarks>
    public static IReadOnlyList<Leak> Of(UnitRun run, ProcessResult? result)
    {
        Dictionary<int, LeftProcess> seen = [];
        foreach (LeftProcess left in run.Left)
        {
            seen[left.ProcessId] = left;
        }

        List<Leak> leaks = [];
        HashSet<int> found = [];
        IReadOnlyList<TestCase>? anyone = null;
        foreach (SurvivingProcess process in Found(result))
        {
            found.Add(process.ProcessId);
            if (seen.TryGetValue(process.ProcessId, out LeftProcess? left))
            {
                leaks.Add(new Leak(process.CommandLine, left.Owners, left.Row));
            }
            else if (run.HasRunEnded)
            {
                anyone ??=
                    [.. run.Ended.Where(one => one.End.Outcome != "skipped").Select(one => one.Case).Distinct()];
                leaks.Add(new Leak(process.CommandLine, anyone, null));
            }
        }

        leaks.AddRange(run.LeftAtStop
            .Where(left => !found.Contains(left.ProcessId))
            .Select(left => new Leak(left.CommandLine, left.Owners, left.Row)));
        return leaks;
    }

    private static IEnumerable<SurvivingProcess> Found(ProcessResult? result) =>
        result is null ? [] : result.KilledDescendants.Concat(result.SurvivingDescendants)
            .DistinctBy(process => process.ProcessId);
}
