using System;
using System.Diagnostics;
using System.Globalization;

namespace ProcessRunner.BackendCheck;

/// <summary>
/// Checks a backend on any system: each check runs real children, most of which are this program itself. Prints a line
/// for each and returns the number of those that failed.
/// </summary>
/// <remarks>
/// Arguments: <c>native</c> or <c>portable</c>; then, optionally, a part of the names of the checks to run, or
/// <c>soak</c>, a number of seconds, and a part of the names of the kinds of runs, or <c>figures</c> and, optionally,
/// the path of a quicker child. With other arguments it plays the child.
/// </remarks>
internal static class Program
{
    private static int Main(string[] words)
    {
        switch (words)
        {
            case ["native", "soak", string seconds, .. string[] parts]:
                UsePortable(false);
                return Soak.Run(
                    TimeSpan.FromSeconds(int.Parse(seconds, CultureInfo.InvariantCulture)), string.Concat(parts));
            case ["native" or "portable", "figures", .. string[] child]:
                UsePortable(words[0] == "portable");
                return Figures.Run(string.Concat(child));
            case ["native", ..]:
                UsePortable(false);
                return RunChecks(words);
            case ["portable", ..]:
                UsePortable(true);
                return RunChecks(words);
            default:
                return Child.Play(words);
        }
    }

    private static void UsePortable(bool isPortable) =>
        AppContext.SetSwitch("ProcessRunner.UsePortableBackend", isPortable);

    private static int RunChecks(string[] words)
    {
        string part = words.Length > 1 ? words[1] : "";
        int passed = 0;
        int failed = 0;
        foreach ((string name, Action check) in Checks.All)
        {
            if (!name.Contains(part, StringComparison.Ordinal))
            {
                continue;
            }

            long start = Stopwatch.GetTimestamp();
            try
            {
                check();
                passed++;
                Console.WriteLine($"holds: {name} ({Stopwatch.GetElapsedTime(start).TotalSeconds:f1} s)");
            }
            catch (Exception exception)
            {
                failed++;
                Console.WriteLine($"FAILS: {name}: {exception}");
            }
        }

        Console.WriteLine($"{words[0]}: {passed} held, {failed} failed");
        return failed;
    }
}
