using System.Collections.Generic;
using System.Linq;
using ProcessRunner;
using PTest.Hosts;
using PTest.Suites;

namespace PTest.Running;

/// <summary>Represents a process that tests left behind.</summary>
/// <param name="CommandLine">Its command line.</param>
/// <param name="Owners">The tests that may have started it.</param>
/// <param name="Row">
/// The name of the test, with the data of its row, after whose end it was first seen; null if it was not. That test may
/// be a later one than the owner.
/// </param>
/// <param name="IsCertain">
/// Whether one of them has. Otherwise it may as well belong to what ended their process, and only another run tells.
/// </param>
internal sealed record Leak(string CommandLine, IReadOnlyList<TestCase> Owners, string? Row, bool IsCertain = true)
{
    /// <summary>Gets whether it is known which test has left it behind.</summary>
    public bool HasOneOwner => IsCertain && Owners.Count == 1;

    /// <summary>Gets what the tests of an ended process left behind. All of it has been ended by then.</summary>
    /// <remarks>
    /// A process that the host has seen has its owners, however the host ended. A process that only the runner has
    /// found may be anyone's. After a crash or a stop it may be a consequence of that, which is no leak, or the child
    /// of a process that the host has seen and that has ended since.
    /// </remarks>
    public static IReadOnlyList<Leak> Of(UnitRun run, ProcessResult? result)
    {
        Dictionary<int, LeftProcess> seen = [];
        foreach (LeftProcess left in run.Left)
        {
            seen[left.ProcessId] = left;
        }

        List<Leak> leaks = [];
        Dictionary<int, string> found = Found(run, result);
        foreach ((int id, string commandLine) in found)
        {
            if (seen.TryGetValue(id, out LeftProcess? left))
            {
                leaks.Add(new Leak(commandLine, left.Owners, left.Row));
            }
        }

        TestCase[] suspects = run.HasRunEnded || !run.Unit.Assembly.Host.LooksForLeaks
            ? [.. run.Ended.Where(one => one.End.Outcome != OutcomeNames.Skipped).Select(one => one.Case).Distinct()]
            :
            [
                .. seen.Values.Where(left => !found.ContainsKey(left.ProcessId))
                    .SelectMany(left => left.Owners).Distinct(),
            ];
        if (suspects.Length > 0)
        {
            bool isCertain = run.HasRunEnded || run.Unit.Tests.Count == 1;
            leaks.AddRange(found
                .Where(one => !seen.ContainsKey(one.Key) && MayBeLeft(run, one.Key, seen))
                .Select(one => new Leak(one.Value, suspects, null, isCertain)));
        }

        return leaks;
    }

    /// <summary>
    /// Returns whether a process that the host has not seen may be left behind by a test that has ended, and not the
    /// child of what ran when the runner stopped the host.
    /// </summary>
    private static bool MayBeLeft(UnitRun run, int processId, Dictionary<int, LeftProcess> seen)
    {
        if (run.HasRunEnded || run.LivingAtStop is null)
        {
            return true;
        }

        // What has come later is a consequence of the stop.
        LivingProcess? process = run.LivingAtStop.FirstOrDefault(one => one.ProcessId == processId);
        bool mayBeOfHost = !run.Unit.Assembly.Host.LooksForLeaks && run.Unit.Tests.Count > 1;
        return process is not null
            && (process.IsOrphan || mayBeOfHost)
            && !process.Ancestors.Any(seen.ContainsKey);
    }

    /// <summary>Gets the command lines of all that lived, by the id.</summary>
    private static Dictionary<int, string> Found(UnitRun run, ProcessResult? result)
    {
        Dictionary<int, string> found = [];
        foreach (LivingProcess process in run.LivingAtStop ?? [])
        {
            found.TryAdd(process.ProcessId, process.CommandLine);
        }

        if (result is not null)
        {
            foreach (SurvivingProcess process in result.KilledDescendants.Concat(result.SurvivingDescendants))
            {
                // Right before the stop it may have been in the middle of an exec. This look is the later one.
                found[process.ProcessId] = process.CommandLine;
            }
        }

        return found;
    }
}
