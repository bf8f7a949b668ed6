using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.Versioning;
using System.Text;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// The mark that a child and all its descendants carry in their environment, by which those that left its process group
/// are found. A child that runs children of its own adds their marks to the one that it inherited: the value is a
/// chain, outermost first. The default is no mark.
/// </summary>
/// <param name="Prefix">What all marks of one engine begin with; null for no mark.</param>
/// <param name="Number">Which child of the engine it is.</param>
[SupportedOSPlatform("linux")]
internal readonly record struct ChildMark(string? Prefix, uint Number)
{
    /// <summary>The name of the variable.</summary>
    public const string VariableName = "PROCESSRUNNER_CHILD";

    /// <summary>How the number of a child is written, so that all marks are of one length.</summary>
    public const string NumberFormat = "x8";

    private const int NumberLength = 8;
    private const byte Separator = (byte)':';

    private static ReadOnlySpan<byte> Assignment => "PROCESSRUNNER_CHILD="u8;

    /// <summary>True if the child carries none.</summary>
    public bool IsNone => Prefix is null;

    /// <summary>What the marks of all children of one engine begin with; unlike any other engine's on this machine.</summary>
    public static string NewPrefix() => string.Create(CultureInfo.InvariantCulture, $"{Random.Shared.NextInt64():x16}-");

    /// <summary>The chain of marks in a block of environment strings, or nothing.</summary>
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

    /// <summary>True if a chain holds this mark.</summary>
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

    /// <summary>The numbers of the children of one engine whose marks are in a chain.</summary>
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

    /// <summary>The mark as it stands in a chain.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{Number:x8}");

    private static bool TryReadNumber(ReadOnlySpan<byte> mark, string prefix, out uint number)
    {
        number = 0;
        return mark.Length == prefix.Length + NumberLength
            && Ascii.Equals(mark[..prefix.Length], prefix)
            && uint.TryParse(mark[prefix.Length..], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out number);
    }
}
