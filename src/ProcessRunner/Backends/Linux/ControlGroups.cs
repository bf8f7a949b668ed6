using System;
using System.Linq;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Represents the control groups that this process belongs to, of both versions (cgroups(7)). The limits of a group
/// hold for the groups below it as well. A limit that cannot be read does not count. Stateless and thread-safe.
/// </summary>
/// <param name="membership">The lines of /proc/self/cgroup.</param>
/// <param name="root">The directory in which the groups are mounted.</param>
[SupportedOSPlatform("linux")]
internal sealed class ControlGroups(string membership, string root)
{
    /// <summary>Gets the groups of this process.</summary>
    public static ControlGroups OfThisProcess => new(KernelText.Of("/proc/self/cgroup"), "/sys/fs/cgroup");

    /// <summary>
    /// Gets the bytes of memory that are left. Cached files that nobody has used lately count as left, as they do in
    /// MemAvailable: the kernel gives their memory back before it refuses any.
    /// </summary>
    public long Memory => Math.Min(
        Left("", root, "memory.max", "memory.current", "inactive_file"),
        Left("memory", $"{root}/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"));

    /// <summary>Gets the number of processes that are left.</summary>
    public long Processes => Math.Min(
        Left("", root, "pids.max", "pids.current", null),
        Left("pids", $"{root}/pids", "pids.max", "pids.current", null));

    // Version 2 has one line "0::/path", version 1 has a line "number:controllers:/path" for each hierarchy.
    private long Left(string controller, string mount, string most, string current, string? reclaimable)
    {
        string[]? line = membership.Split('\n')
            .Select(line => line.Split(':', 3))
            .FirstOrDefault(line => line.Length == 3 && line[1].Split(',').Contains(controller));
        if (line is null)
        {
            return long.MaxValue;
        }

        // The path can be outside of what is mounted here. The mount itself is then the nearest group.
        string path = line[2].TrimEnd('/');
        path = path.StartsWith("/..", StringComparison.Ordinal) ? "" : path;
        long left = LeftIn(mount, most, current, reclaimable);
        while (path.Length > 0)
        {
            left = Math.Min(left, LeftIn(mount + path, most, current, reclaimable));
            path = path[..Math.Max(0, path.LastIndexOf('/'))];
        }

        return left;
    }

    private static long LeftIn(string directory, string most, string current, string? reclaimable)
    {
        long limit = KernelText.Number(KernelText.Of($"{directory}/{most}"));
        if (limit == long.MaxValue)
        {
            return limit;
        }

        long used = KernelText.Number(KernelText.Of($"{directory}/{current}"));
        if (used == long.MaxValue)
        {
            return used;
        }

        long free = reclaimable is null
            ? 0
            : KernelText.NumberAfter($"{reclaimable} ", KernelText.Of($"{directory}/memory.stat")) ?? 0;
        return Math.Max(0, limit - Math.Max(0, used - free));
    }
}
