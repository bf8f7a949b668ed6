using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace ProcessRunner.TestHost;

/// <summary>The descriptors of this process.</summary>
internal static class OpenDescriptors
{
    /// <summary>The largest number that is taken.</summary>
    public static ulong Highest =>
        Directory.EnumerateFileSystemEntries("/proc/self/fd").Max(path => ulong.Parse(Path.GetFileName(path)));

    /// <summary>The limit that leaves just so many numbers free.</summary>
    public static ulong LimitFor(int free)
    {
        HashSet<string?> taken = [.. Directory.EnumerateFileSystemEntries("/proc/self/fd").Select(Path.GetFileName)];
        ulong limit = 0;
        while (free > 0 || taken.Contains($"{limit}"))
        {
            free -= taken.Contains($"{limit}") ? 0 : 1;
            limit++;
        }

        return limit;
    }

    /// <summary>What is open, number and target. Files are left out: the runtime opens those of its own when it likes.</summary>
    public static string Describe() => string.Join('\n', Describe("/proc/self/fd").Order());

    private static IEnumerable<string> Describe(string directory)
    {
        foreach (FileInfo entry in new DirectoryInfo(directory).EnumerateFiles())
        {
            if (entry.LinkTarget is string target && !target.StartsWith('/'))
            {
                yield return $"{entry.Name} {target}";
            }
        }
    }
}
