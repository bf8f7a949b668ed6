using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.Versioning;
using System.Text;

namespace ProcessRunner.Backends.Linux.Processes;

/// <summary>
/// Represents the mark that a child and all its descendants carry in their environment, by which descendants that left
/// the child's process group are found. A child that runs children of its own appends their marks to the mark that it
/// inherited, so the value is a chain, outermost mark first. The default value is no mark.
/// </summary>
/// <param name="Prefix">The prefix that all marks of one engine share; null for no mark.</param>
/// <param name="Number">The number of the child within its engine.</param>
[SupportedOSPlatform("linux")]
internal readonly record struct ChildMark(string? Prefix, uint Number)
{
    /// <summary>The name of the environment variable.</summary>
    public const string VariableName = "PROCESSRUNNER_CHILD";

    /// <summary>The format of a child's number, which gives all marks the same length.</summary>
    public const string NumberFormat = "x8";

    private const int NumberLength = 8;
    private const byte Separator = (byte)':';

    private static ReadOnlySpan<byte> Assignment => "PROCESSRUNNER_CHILD="u8;

    /// <summary>Gets whether the child carries no mark.</summary>
    public bool IsNone => Prefix is null;

    /// <summary>Creates the prefix for the marks of one engine, which no other engine on this machine shares.</summary>
    public static string NewPrefix() =>
        string.Create(CultureInfo.InvariantCulture, $"{Random.Shared.NextInt64():x16}-");

    /// <summary>Finds the chain of marks in a block of environment strings.</summary>
    /// <returns>The chain, or an empty span if there is none.</returns>
    public static ReadOnlySpan<byte> ChainIn(ReadOnlySpan<byte> environment)
    {
        while (!environment.IsEmpty)
        {
            int end = environment.IndexOf((byte)0);
            ReadOnlySpan<byte> variable = end < 0 ? environment : environment[..end];
            if (variable.StartsWith(Assignment))
            {
                return variable[Assignment.Length..];
            }

            environment = end < 0 ? default : environment[(end + 1)..];
        }

        return default;
    }

    /// <summary>Returns whether a chain contains this mark.</summary>
    public bool IsIn(ReadOnlySpan<byte> chain)
    {
        foreach (Range range in chain.Split(Separator))
        {
            if (TryReadNumber(chain[range], Prefix!, out uint number) && number == Number)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Adds the numbers of the children of one engine whose marks are in a chain.</summary>
    public static void AddNumbers(ReadOnlySpan<byte> chain, string prefix, List<uint> numbers)
    {
        foreach (Range range in chain.Split(Separator))
        {
            if (TryReadNumber(chain[range], prefix, out uint number))
            {
                numbers.Add(number);
            }
        }
    }

    /// <summary>Formats the mark as it appears in a chain.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{Number:x8}");

    private static bool TryReadNumber(ReadOnlySpan<byte> mark, string prefix, out uint number)
    {
        number = 0;
        return mark.Length == prefix.Length + NumberLength
            && Ascii.Equals(mark[..prefix.Length], prefix)
            && uint.TryParse(
                mark[prefix.Length..], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out number);
    }
}
