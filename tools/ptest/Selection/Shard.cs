using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using PTest.History;
using PTest.Output;
using PTest.Suites;

namespace PTest.Selection;

/// <summary>
/// Represents one machine's part of the tests. Tests that share fixtures stay together. Together all parts are all
/// tests, and no test is in two.
/// </summary>
/// <param name="Kind">hash: stable while tests come and go; slice: equal numbers; time: equal times.</param>
/// <param name="Index">The part, from 1.</param>
/// <param name="Count">The number of parts.</param>
internal sealed record Shard(string Kind, int Index, int Count)
{
    private const uint FirstHash = 2166136261;

    /// <summary>Reads a text of the form <c>hash:1/4</c>.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static Shard Parse(string text)
    {
        if (text.Split(':') is [("hash" or "slice" or "time") and string kind, string part]
            && part.Split('/') is [string index, string count]
            && int.TryParse(index, NumberStyles.None, CultureInfo.InvariantCulture, out int number)
            && int.TryParse(count, NumberStyles.None, CultureInfo.InvariantCulture, out int total)
            && number >= 1 && number <= total)
        {
            return new Shard(kind, number, total);
        }

        throw new FormatException($"'{text}' is not a part of the tests: hash:1/4, slice:1/4, time:1/4");
    }

    /// <summary>Chooses the tests of this part.</summary>
    public IReadOnlyList<TestCase> Choose(IReadOnlyList<TestCase> tests, TestHistory history)
    {
        List<(string Key, TestCase[] Tests)> collections =
        [
            .. tests.GroupBy(test => $"{test.Assembly.Name}/{test.Collection}")
                .Select(group => (group.Key, group.ToArray()))

                // The order of a list may be another one on another machine.
                .OrderBy(one => one.Key, StringComparer.Ordinal),
        ];
        return Kind switch
        {
            "hash" => Those((one, _) => (int)(Hash(one) % (uint)Count)),
            "slice" => Those((_, position) => position % Count),
            _ => ByTime(collections, history),
        };

        IReadOnlyList<TestCase> Those(Func<string, int, int> part) =>
        [
            .. collections.Where((one, position) => part(one.Key, position) == Index - 1).SelectMany(one => one.Tests),
        ];
    }

    private List<TestCase> ByTime(List<(string Key, TestCase[] Tests)> collections, TestHistory history)
    {
        double[] times = new double[Count];
        List<TestCase> chosen = [];
        uint hash = FirstHash;
        foreach ((string key, TestCase[] tests, double time) in collections
            .Select(one => (one.Key, one.Tests, Time: one.Tests.Sum(test => history.Expected(test).TotalMilliseconds)))
            .OrderByDescending(one => one.Time))
        {
            hash = Hash(string.Create(CultureInfo.InvariantCulture, $"{key} {time:R} {tests.Length}"), hash);
            int least = Array.IndexOf(times, times.Min());
            times[least] += time;
            if (least == Index - 1)
            {
                chosen.AddRange(tests);
            }
        }

        // Nothing else shows that the machines do not know the same times, and leave out tests between their parts.
        ErrorOutput.Write(string.Create(
            CultureInfo.InvariantCulture, $"--shard time:{Index}/{Count} divides by the times {hash:x8}."));
        return chosen;
    }

    /// <summary>Hashes by FNV-1a, which gives the same on every machine and in every version.</summary>
    private static uint Hash(string text, uint hash = FirstHash)
    {
        foreach (byte value in Encoding.UTF8.GetBytes(text))
        {
            hash = (hash ^ value) * 16777619;
        }

        return hash;
    }
}
