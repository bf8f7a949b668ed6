using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace ProcessRunner.TestHost;

/// <summary>The descriptors of this process.</summary>
internal static class OpenDescriptors
{
    /// <summary>Tells the host to call <see cref="Crowd"/> first.</summary>
    public const string CrowdVariable = "CROWD_OF_DESCRIPTORS";

    private const int FirstPart = 300;
    private const int CrowdSize = 2100;

    /// <summary>
    /// Opens so many that a start has to avoid the copy of them, none close-on-exec, and leaves 0, 1 and 2 as they are.
    /// </summary>
    public static void Crowd()
    {
        Open(FirstPart);

        // The engine keeps low numbers for itself once it sees that it will need them.
        Expect.Equal(0, new ProcessCommand("true").Run().ExitCode, "exit code");
        Open(CrowdSize - FirstPart);
    }

    /// <summary>Opens so many, none close-on-exec, and leaves 0, 1 and 2 as they are.</summary>
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
