using System;

namespace ProcessRunner.TestHost;

/// <summary>
/// Provides the small assertions of the host. A test library would load its own files in the middle of a scenario.
/// </summary>
internal static class Expect
{
    public static void Equal<T>(T expected, T actual, string what)
    {
        if (!Equals(expected, actual))
        {
            throw new InvalidOperationException($"{what}: expected '{expected}', but it is '{actual}'.");
        }
    }

    public static void True(bool condition, string what)
    {
        if (!condition)
        {
            throw new InvalidOperationException($"It is not true that {what}.");
        }
    }
}
