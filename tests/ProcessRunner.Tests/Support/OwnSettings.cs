using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Numerics;

namespace ProcessRunner.Tests.Support;

/// <summary>Reads the settings of this process on Linux and Windows. Its children inherit them.</summary>
internal static class OwnSettings
{
    private const int CAP_SYS_NICE = 23;

    /// <summary>Gets the nice value, which is 0 on Windows.</summary>
    public static int Nice
    {
        get
        {
            if (OperatingSystem.IsWindows())
            {
                return 0;
            }

            // The nice value is the 19th field, proc_pid_stat(5), and the name before the third may have any character.
            string stat = File.ReadAllText("/proc/self/stat");
            return int.Parse(stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[16], CultureInfo.InvariantCulture);
        }
    }

    /// <summary>Gets the first of the processors that this process may use.</summary>
    public static int Processor =>
        OperatingSystem.IsWindows()
            ? BitOperations.TrailingZeroCount(Process.GetCurrentProcess().ProcessorAffinity)
            : int.Parse(Status("Cpus_allowed_list").Split(',', '-')[0], CultureInfo.InvariantCulture);

    /// <summary>Returns whether a child may have a nice value.</summary>
    public static bool Allow(int nice) =>
        nice >= Nice
        || (ulong.Parse(Status("CapEff"), NumberStyles.HexNumber, CultureInfo.InvariantCulture)
            & (1UL << CAP_SYS_NICE)) != 0;

    private static string Status(string name) => File.ReadLines("/proc/self/status")
        .Single(line => line.StartsWith($"{name}:", StringComparison.Ordinal))[(name.Length + 1)..].Trim();
}
