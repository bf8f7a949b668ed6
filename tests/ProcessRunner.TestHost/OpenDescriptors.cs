using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace ProcessRunner.TestHost;

/// <summary>The descriptors of this process.</summary>
internal static class OpenDescriptors
{
    /// <summary>Tells the host to call <see cref="Crowd"/> first.</summary>
    public const string CrowdVariable = "CROWD_OF_DESCRIPTORS";

    private const int CrowdSize = 2100;

    /// <summary>
    /// Opens so many that starts are made on a thread with a table of its own from now on, none of them close-on-exec, and
    /// leaves 0, 1 and 2 as they are.
    /// </summary>
    public static void Crowd()
    {
        const int F_DUPFD = 0;
        int first = NativeMethods.Open("/dev/null", 0);
        for (int i = 0; i < CrowdSize; i++)
        {
            Expect.True(NativeMethods.Fcntl(first, F_DUPFD, 3) >= 3, "a descriptor can be copied");
        }

        Expect.Equal(0, NativeMethods.Close(first), "close");
        int threads = ProcessEngine.Shared.ThreadCount;
        for (int i = 0; i < 2; i++)
        {
            Expect.Equal(0, new ProcessCommand("true").Run().ExitCode, "exit code");
        }

        Expect.True(threads < ProcessEngine.Shared.ThreadCount, "the second start is made on a thread of its own");
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
