using System;

namespace ProcessRunner.PortableCheck;

/// <summary>
/// Checks the portable backend on any system: each check runs real children, which are this program itself. Prints a
/// line for each and returns the number of those that failed.
/// </summary>
internal static class Program
{
    private static int Main(string[] words)
    {
        if (words.Length > 0)
        {
            return Child.Play(words);
        }

        AppContext.SetSwitch("ProcessRunner.UsePortableBackend", true);
        int passed = 0;
        int failed = 0;
        foreach ((string name, Action check) in Checks.All)
        {
            try
            {
                check();
                passed++;
                Console.WriteLine($"holds: {name}");
            }
            catch (Exception exception)
            {
                failed++;
                Console.WriteLine($"FAILS: {name}: {exception}");
            }
        }

        Console.WriteLine($"{passed} held, {failed} failed");
        return failed;
    }
}
