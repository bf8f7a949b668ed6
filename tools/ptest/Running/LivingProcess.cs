using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using PTest.Hosts;

namespace PTest.Running;

/// <summary>Represents a process that lives while the process of the tests from which it descends still runs.</summary>
/// <param name="ProcessId">Its id.</param>
/// <param name="CommandLine">Its command line.</param>
/// <param name="Ancestors">The ids of its ancestors below the process of the tests, the nearest first.</param>
/// <param name="IsOrphan">Whether an ancestor has ended, so that those above it are unknown.</param>
internal sealed record LivingProcess(int ProcessId, string CommandLine, IReadOnlyList<int> Ancestors, bool IsOrphan)
{
    /// <summary>Looks for the processes that descend from a process of tests.</summary>
    /// <param name="run">What is known of it.</param>
    /// <param name="host">Its id.</param>
    /// <returns>The processes, or null if the system does not show them.</returns>
    public static IReadOnlyList<LivingProcess>? AllOf(UnitRun run, int host)
    {
        if (host == 0 || ProcessFacts.Of(host) is null)
        {
            return null;
        }

        Dictionary<int, ProcessFacts> found = Descendants(host);
        foreach (LeftProcess left in run.Left.Where(left => !left.IsStranger && left.IsAlive))
        {
            if (ProcessFacts.Of(left.ProcessId) is ProcessFacts process)
            {
                found[left.ProcessId] = process;
            }
        }

        return [.. found.Values.Select(process => Of(process, found, host))];
    }

    private static LivingProcess Of(ProcessFacts process, Dictionary<int, ProcessFacts> found, int host)
    {
        List<int> ancestors = [];
        int parent = process.ParentId;
        while (found.TryGetValue(parent, out ProcessFacts next) && !ancestors.Contains(parent))
        {
            ancestors.Add(parent);
            parent = next.ParentId;
        }

        string commandLine = process.ReadMemory("cmdline").TrimEnd('\0').Replace('\0', ' ');
        return new LivingProcess(process.ProcessId, commandLine, ancestors, parent != host);
    }

    /// <summary>Gets the living processes with the mark of the process of the tests, and their descendants.</summary>
    private static Dictionary<int, ProcessFacts> Descendants(int host)
    {
        string? mark = ProcessFacts.Read(host, "environ").Split('\0')
            .FirstOrDefault(variable => variable.StartsWith($"{ProcessFacts.MarkVariable}="));
        Dictionary<int, ProcessFacts> all = [];
        foreach (string path in Directory.EnumerateDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(path), NumberStyles.None, CultureInfo.InvariantCulture, out int id)
                && id != host
                && ProcessFacts.Of(id) is ProcessFacts { IsAlive: true } process)
            {
                all[id] = process;
            }
        }

        HashSet<int> ours =
        [
            host,
            .. all.Values.Where(process => mark is not null && process.ReadMemory("environ").Contains(mark))
                .Select(process => process.ProcessId),
        ];
        while (all.Values.Where(process => ours.Contains(process.ParentId) && !ours.Contains(process.ProcessId))
            .Select(process => process.ProcessId).ToArray() is { Length: > 0 } children)
        {
            ours.UnionWith(children);
        }

        return all.Where(one => ours.Contains(one.Key)).ToDictionary();
    }
}
