using System;
using System.Collections.Generic;
using System.IO;

namespace PTest.Hosts;

/// <summary>
/// Represents what the runner wants of this process: a file of lines, each with a word and its value, whose path is in
/// the variable <c>PTEST_JOB</c>.
/// </summary>
internal sealed class Job
{
    private const string Variable = "PTEST_JOB";

    private readonly List<KeyValuePair<string, string>> _restored = [];

    private Job()
    {
    }

    /// <summary>Gets whether the tests are to be listed, and not run.</summary>
    public bool IsListing { get; private set; }

    /// <summary>Gets whether the runner asks for the runtime of this process, and not for tests.</summary>
    public bool IsForRuntime { get; private set; }

    /// <summary>Gets whether the framework may run collections in parallel.</summary>
    public bool IsParallel { get; private set; }

    /// <summary>Gets whether the project's settings forbid that tests run at the same time as others.</summary>
    public bool IsExclusive =>
        Options.TryGetValue(OptionValues.DisableParallelization, out string? value) && value == "true";

    /// <summary>Gets the path of the test assembly.</summary>
    public string Assembly { get; private set; } = "";

    /// <summary>Gets where the events go.</summary>
    public string Events { get; private set; } = "";

    /// <summary>Gets the classes whose tests are to run; all if it is empty.</summary>
    public List<string> Classes { get; } = [];

    /// <summary>Gets the tests to run; all of the classes if it is empty.</summary>
    public HashSet<string> Cases { get; } = [];

    /// <summary>Gets the path of the list of all tests: a line each, with the id, a tab and the method.</summary>
    public string List { get; private set; } = "";

    /// <summary>Gets the paths of the assemblies that this process takes from elsewhere, by their names.</summary>
    public Dictionary<string, string> Loads { get; } = [];

    /// <summary>Gets the options of the framework, by the names that xunit gives them.</summary>
    public Dictionary<string, string> Options { get; } = [];

    /// <summary>
    /// Takes the job of this process, so that no other finds it, and the variables that only this process is to see.
    /// </summary>
    /// <returns>The job, or null without one.</returns>
    public static Job? Take()
    {
        string? path = Environment.GetEnvironmentVariable(Variable);
        if (string.IsNullOrEmpty(path) || !File.Exists(path))
        {
            return null;
        }

        Job job = new();
        foreach (string line in File.ReadAllLines(path))
        {
            int space = line.IndexOf(' ');
            job.Add(space < 0 ? line : line.Substring(0, space), space < 0 ? "" : line.Substring(space + 1));
        }

        // Programs that a test starts must not become hosts, and must find the environment that the user has set. What
        // native code starts inherits the variable nevertheless, but finds no file.
        File.Delete(path);
        Environment.SetEnvironmentVariable(Variable, null);
        foreach (KeyValuePair<string, string> variable in job._restored)
        {
            Environment.SetEnvironmentVariable(variable.Key, variable.Value.Length == 0 ? null : variable.Value);
        }

        return job;
    }

    private void Add(string word, string value)
    {
        switch (word)
        {
            case "list":
                IsListing = true;
                break;
            case "runtime":
                IsForRuntime = true;
                break;
            case "load":
                (string name, string path) = Split(value);
                Loads[name] = path;
                break;
            case "parallel":
                IsParallel = true;
                break;
            case "assembly":
                Assembly = value;
                break;
            case "events":
                Events = value;
                break;
            case "class":
                Classes.Add(value);
                break;
            case "case":
                Cases.Add(value);
                break;
            case "listed":
                List = value;
                break;
            case "option":
                (string option, string setting) = Split(value);
                Options[option] = setting;
                break;
            case "restore":
                (string variable, string old) = Split(value);
                _restored.Add(new KeyValuePair<string, string>(variable, old));
                break;
            default:
                break;
        }
    }

    private static (string Name, string Value) Split(string text)
    {
        int equals = text.IndexOf('=');
        return (text.Substring(0, equals), text.Substring(equals + 1));
    }
}
