using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace ProcessRunner.TestHost;

/// <summary>Inspects and opens the descriptors of this process.</summary>
internal static class OpenDescriptors
{
    /// <summary>The variable that makes the host call <see cref="Crowd"/> first.</summary>
    public const string CrowdVariable = "CROWD_OF_DESCRIPTORS";

    private const int FirstPart = 300;
    private const int CrowdSize = 2100;

    /// <summary>
    /// Opens so many descriptors, without close-on-exec, that a start must avoid copying them. Leaves 0, 1 and 2
    /// unchanged.
    /// </summary>
    public static void Crowd()
    {
        Open(FirstPart);

        // The engine reserves low numbers once it sees that it will need them.
        Expect.Equal(0, new ProcessCommand("true").Run().ExitCode, "exit code");
        Open(CrowdSize - FirstPart);
    }

    /// <summary>Opens a number of descriptors without close-on-exec. Leaves 0, 1 and 2 unchanged.</summary>
    public static void Open(int count)
    {
        const int F_DUPFD = 0;
        int first = NativeMethods.Open("/dev/null", 0);
        for (int i = 0; i < count; i++)
        {
            Expect.True(NativeMethods.Fcntl(first, F_DUPFD, 3) >= 3, "a descriptor can be copied");
        }

        Expect.Equal(0, NativeMethods.Close(first), "close");
    }

    /// <summary>Gets the largest number in use.</summary>
    public static ulong Highest =>
        Directory.EnumerateFileSystemEntries("/proc/self/fd").Max(path => ulong.Parse(Path.GetFileName(path)));

    /// <summary>Gets the limit that leaves exactly this many numbers free.</summary>
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

    /// <summary>
    /// Describes the open descriptors by number and target. Files are excluded, because the runtime opens files of its
    /// own at any time.
    /// </summary>
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
