using System.Collections.Generic;
using System.Linq;

namespace PTest.Hosts;

/// <summary>Reads the names of tests that vstest gives, and writes its filters.</summary>
internal static class TestNames
{
    // Adapters differ in how they take these in a name, escaped or not: vstest's own escapes are errors to NUnit.
    private static readonly char[] s_signs = [.. " \t\"'\\()&|=!~"];

    /// <summary>
    /// Makes a filter that chooses at least the tests with some full names: by what is before the first sign that has a
    /// meaning in a filter.
    /// </summary>
    public static string Filter(IEnumerable<string> names) => string.Join(
        '|', names.Select(name => $"FullyQualifiedName~{name.Split(s_signs)[0]}").Distinct());

    /// <summary>
    /// Returns a full name without the arguments of its method. Those of a fixture, as in <c>Ns.Fixture(1).Test(2)</c>,
    /// belong to the class.
    /// </summary>
    public static string WithoutArguments(string name)
    {
        int depth = 0;
        int start = -1;
        bool isQuoted = false;
        for (int i = 0; i < name.Length; i++)
        {
            isQuoted ^= name[i] == '"' && (i == 0 || name[i - 1] != '\\');
            if (isQuoted)
            {
                continue;
            }

            if (name[i] == '(' && depth++ == 0)
            {
                start = i;
            }
            else if (name[i] == ')' && depth > 0)
            {
                depth--;
            }
            else if (name[i] == '.' && depth == 0)
            {
                start = -1;
            }
        }

        return start < 0 ? name : name[..start];
    }
}
