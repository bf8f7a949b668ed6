using System;
using System.Collections.Immutable;
using System.Globalization;
using System.IO;

namespace ProcessRunner.Benchmarks.Native;

/// <summary>
/// Defines the children of the races: the program in C, or its substitute on a machine without a compiler.
/// </summary>
internal static class ChildJobs
{
    /// <summary>The length of a line that child.c's fill command writes.</summary>
    public const int LineLength = 64;

    // The script writes the same number of bytes through more processes. Process leaves SIGPIPE ignored in its
    // children, so that "yes" would complain about the end of "head".
    private const string FillScript =
        "fill() { yes \"$1\" 2>/dev/null | head -c \"$2\"; }; "
        + "fill \"$4\" \"$1\"; fill \"$4\" \"$2\" >&2; [ \"$3\" = 0 ] || sleep \"$3\"";

    public static bool AreNative => NativePrograms.Child is not null;

    /// <summary>Gets a child that exits at once.</summary>
    public static ChildJob Exit { get; } =
        NativePrograms.Child is string child ? new(child, ["exit"], 0, 0) : new(Found("true"), [], 0, 0);

    /// <summary>Gets a child that lives until it is killed.</summary>
    public static ChildJob Sleep { get; } =
        NativePrograms.Child is string child
            ? new(child, ["sleep", "0"], 0, 0)
            : new(Found("sleep"), ["1000000"], 0, 0);

    /// <summary>Creates a child that copies its input to its output.</summary>
    public static ChildJob Echo(string input) =>
        NativePrograms.Child is string child
            ? new(child, ["echo"], input.Length, 0) { Input = input }
            : new(Found("cat"), [], input.Length, 0) { Input = input };

    /// <summary>Creates a child that writes a number of bytes to each stream, sleeps and exits.</summary>
    public static ChildJob Fill(long output, long error, TimeSpan sleep)
    {
        ImmutableArray<string> arguments = NativePrograms.Child is not null
            ? ["fill", Text(output), Text(error), Text(sleep.TotalMilliseconds)]
            : [
                "-c", FillScript, "fill", Text(output), Text(error), Text(sleep.TotalSeconds),
                new string('a', LineLength - 1),
            ];
        return new(NativePrograms.Child ?? Found("sh"), arguments, output, error);
    }

    /// <summary>
    /// Creates a child that sleeps and, as its last act, writes the clock that <see cref="ReadClock"/> reads.
    /// </summary>
    public static ChildJob Clock(TimeSpan sleep) =>
        NativePrograms.Child is string child
            ? new(child, ["clock", Text(sleep.TotalMilliseconds)], null, 0)
            : new(Found("sh"), ["-c", $"sleep {Text(sleep.TotalSeconds)}; exec date +%s%N"], null, 0);

    /// <summary>Reads the current value of the clock that the child of <see cref="Clock"/> writes.</summary>
    public static long ReadClock() => LibC.Nanoseconds(AreNative ? LibC.ClockMonotonic : LibC.ClockRealtime);

    private static string Text(double number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Found(string program) =>
        File.Exists($"/bin/{program}") ? $"/bin/{program}" : $"/usr/bin/{program}";
}
