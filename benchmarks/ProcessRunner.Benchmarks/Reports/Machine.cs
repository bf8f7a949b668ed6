using System;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;

namespace ProcessRunner.Benchmarks.Reports;

/// <summary>Describes the machine of a measurement.</summary>
internal static class Machine
{
    public static string Description { get; } =
        FormattableString.Invariant($"{Environment.ProcessorCount} processors ({Processor()}), ")
        + FormattableString.Invariant(
            $"{GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 1024.0 / 1024 / 1024:F0} GiB of memory, ")
        + $"Linux {Kernel()}, {RuntimeInformation.ProcessArchitecture}, {RuntimeInformation.FrameworkDescription}";

    // The version omits the suffix of a distributor or a builder.
    private static string Kernel() => Environment.OSVersion.Version.ToString(3);

    private static string Processor()
    {
        string? line = File.ReadLines("/proc/cpuinfo")
            .FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal));
        return line is null ? "model unknown" : line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim();
    }
}
