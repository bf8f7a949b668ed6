using System.Buffers;
using System.Collections.Concurrent;
using ProcessRunner.TestChild;

namespace ProcessRunner.StarvationTests.Support;

/// <summary>Checks the text that the words <c>fill</c> and <c>fill-err</c> of the configurable child write.</summary>
internal static class TestChildText
{
    private static readonly ConcurrentDictionary<(int Output, int Error), string> s_expected = new();

    /// <summary>Describes the fault of a result; null if the child succeeded and every byte is there.</summary>
    public static string? Fault(ProcessResult result, int outputBytes, int errorBytes)
    {
        string expected = s_expected.GetOrAdd((outputBytes, errorBytes), static counts =>
            $"{ProcessOutcome.Exited} 0; {DigestOf(counts.Output)}; {DigestOf(counts.Error)}");
        string actual =
            $"{result.Outcome} {result.ExitCode}; "
            + $"{Digest.Of(result.StandardOutput)}; {Digest.Of(result.StandardError)}";
        return actual == expected ? null : $"{actual} instead of {expected}";
    }

    private static string DigestOf(int count) => Digest.Of(new ReadOnlySequence<byte>(FillText.Bytes(count)));
}
