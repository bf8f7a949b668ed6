using System;
using System.Collections.Generic;
using System.Globalization;
using Xunit.Abstractions;

namespace ProcessRunner.SuiteRunner;

/// <summary>Represents the command line of the runner.</summary>
internal sealed class RunnerOptions
{
    public const string Usage = """
        usage: ProcessRunner.SuiteRunner [OPTION...] ASSEMBLY...
        Runs the tests of the assemblies beside this program, one assembly after another.
          --only PART         tests whose full name contains one of these parts
          --without PART      tests whose full name contains none of these parts
          --trait NAME=VALUE  tests with this trait
          --no-trait NAME=VALUE   tests without this trait
          --class NAME        the tests of this class, by its full name
          --limit SECONDS     the time that a test may take (120)
          --processes COUNT   each class in a process of its own, so many at once
          --list              also prints the tests that passed
        Each failure is a line that begins with FAILED, and its message.
        The last line is "N passed, N failed, N skipped".
        """;

    private readonly List<string> _only = [];
    private readonly List<string> _without = [];
    private readonly List<string> _filters = [];
    private readonly List<(string Name, string Value)> _traits = [];
    private readonly List<(string Name, string Value)> _noTraits = [];

    private RunnerOptions()
    {
    }

    /// <summary>Gets the words that choose tests, for another process.</summary>
    public IReadOnlyList<string> Filters => _filters;

    public List<string> Assemblies { get; } = [];

    /// <summary>Gets the full name of the one class whose tests are looked for; null for all classes.</summary>
    public string? Class { get; private set; }

    public TimeSpan Limit { get; private set; } = TimeSpan.FromSeconds(120);

    public bool ListsPassed { get; private set; }

    /// <summary>
    /// Gets how many classes run at once, each in a process of its own; zero for all in this process.
    /// </summary>
    public int Processes { get; private set; }

    /// <summary>Reads the command line; null if it is wrong.</summary>
    public static RunnerOptions? Parse(string[] arguments)
    {
        RunnerOptions options = new();
        Queue<string> left = new(arguments);
        while (left.TryDequeue(out string? word))
        {
            if (!options.Take(word, left))
            {
                return null;
            }
        }

        return options.Assemblies.Count > 0 ? options : null;
    }

    /// <summary>Returns whether a test is to run.</summary>
    public bool Chooses(ITestCase test)
    {
        string name = $"{test.TestMethod.TestClass.Class.Name}.{test.TestMethod.Method.Name}";
        return (_only.Count == 0 || _only.Exists(name.Contains))
            && !_without.Exists(name.Contains)
            && _traits.TrueForAll(trait => Has(test, trait))
            && !_noTraits.Exists(trait => Has(test, trait));
    }

    private static bool Has(ITestCase test, (string Name, string Value) trait) =>
        test.Traits.TryGetValue(trait.Name, out List<string>? values) && values.Contains(trait.Value);

    private bool Take(string word, Queue<string> left)
    {
        if (word == "--list")
        {
            ListsPassed = true;
            return true;
        }

        if (!word.StartsWith('-'))
        {
            Assemblies.Add(word);
            return true;
        }

        return left.TryDequeue(out string? value) && (TakeFilter(word, value) || TakeNumber(word, value));
    }

    private bool TakeFilter(string word, string value)
    {
        switch (word)
        {
            case "--only":
                _only.Add(value);
                break;
            case "--without":
                _without.Add(value);
                break;
            case "--class":
                Class = value;
                break;
            case "--trait" or "--no-trait" when value.Split('=') is [string name, string wanted]:
                (word == "--trait" ? _traits : _noTraits).Add((name, wanted));
                break;
            default:
                return false;
        }

        _filters.AddRange([word, value]);
        return true;
    }

    private bool TakeNumber(string word, string value)
    {
        if (!int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int number))
        {
            return false;
        }

        switch (word)
        {
            case "--limit":
                Limit = TimeSpan.FromSeconds(number);
                return true;
            case "--processes":
                Processes = number;
                return true;
            default:
                return false;
        }
    }
}
