using System;

namespace ProcessRunner.Backends;

/// <summary>Reads MAKEFLAGS, by which GNU make shares its job tokens with the programs that it runs.</summary>
internal static class MakeFlags
{
    /// <summary>Gets the flags of this process, which are empty without make.</summary>
    public static string Current => Environment.GetEnvironmentVariable("MAKEFLAGS") ?? "";

    /// <summary>Returns the value of an option, or null if there is none.</summary>
    /// <param name="flags">The flags.</param>
    /// <param name="options">The names of the option, each with its equals sign.</param>
    public static string? ValueOf(string flags, params ReadOnlySpan<string> options)
    {
        string? value = null;

        // The last one counts: make appends its own to the options it was given.
        foreach (string word in flags.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            foreach (string option in options)
            {
                value = word.StartsWith(option, StringComparison.Ordinal) ? word[option.Length..] : value;
            }
        }

        return value;
    }
}
