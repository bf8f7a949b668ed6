using System;
using System.Globalization;
using System.Runtime.Versioning;
using System.Text;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// The mark that a child and all its descendants carry in their environment, by which those that left its process group
/// are found. A child that runs children of its own adds their marks to the one that it inherited: the value is a
/// chain, outermost first.
/// </summary>
[SupportedOSPlatform("linux")]
internal static class ChildMark
{
    /// <summary>The name of the variable.</summary>
    public const string VariableName = "PROCESSRUNNER_CHILD";

    private const byte Separator = (byte)':';

    private static ReadOnlySpan<byte> Assignment => "PROCESSRUNNER_CHILD="u8;

    /// <summary>What the marks of all children of one engine begin with; unlike any other engine's on this machine.</summary>
    public static string NewPrefix() => string.Create(CultureInfo.InvariantCulture, $"{Random.Shared.NextInt64():x16}-");

    /// <summary>The value of the variable for a child whose own mark is <paramref name="mark"/>.</summary>
    public static string Chain(string? inherited, string mark) =>
        string.IsNullOrEmpty(inherited) ? mark : $"{inherited}{(char)Separator}{mark}";

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

    /// <summary>True if a chain holds a mark.</summary>
    public static bool Contains(ReadOnlySpan<byte> chain, string mark)
    {
        Span<byte> wanted = stackalloc byte[Encoding.UTF8.GetMaxByteCount(mark.Length)];
        wanted = wanted[..Encoding.UTF8.GetBytes(mark, wanted)];
        foreach (Range range in chain.Split(Separator))
        {
            if (chain[range].SequenceEqual(wanted))
            {
                return true;
            }
        }

        return false;
    }
}
