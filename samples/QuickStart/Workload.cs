using System;
using System.Collections.Immutable;
using System.Globalization;
using System.IO;

namespace QuickStart;

/// <summary>Defines the work of every child and the number of bytes that must arrive from it.</summary>
internal static class Workload
{
    private const string Greeting = "hello";
    private const string Farewell = "done";
    private const int FillBytes = 64 * 1024;
    private const int SleepMilliseconds = 100;

    public static string Description { get; } = FormattableString.Invariant(
        $"Each child: greets, sleeps {SleepMilliseconds} ms, writes {FillBytes / 1024} KiB to each stream.");

    // Process does not look for a file with an extension.
    public static string Program { get; } = Path.Combine(
        AppContext.BaseDirectory, "ProcessRunner.TestChild" + (OperatingSystem.IsWindows() ? ".exe" : ""));

    public static ImmutableArray<string> Arguments { get; } =
    [
        "echo", Greeting,
        "sleep", SleepMilliseconds.ToString(CultureInfo.InvariantCulture),
        "fill", FillBytes.ToString(CultureInfo.InvariantCulture),
        "fill-err", FillBytes.ToString(CultureInfo.InvariantCulture),

        // Process reports whole lines, so both streams end with a line end.
        "echo", Farewell,
        "err", Farewell,
    ];

    public static long OutputBytes => Line(Greeting) + FillBytes + Line(Farewell);

    public static long ErrorBytes => FillBytes + Line(Farewell);

    private static int Line(string text) => text.Length + 1;
}
