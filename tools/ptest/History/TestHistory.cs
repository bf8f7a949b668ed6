using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using PTest.Output;
using PTest.Suites;
using PTest.Verdicts;

namespace PTest.History;

/// <summary>
/// Keeps what is known of tests from earlier runs, in the user's cache: a file for each assembly. Nothing depends on
/// it but the order and the size of units, the shards by time, and which tests failed last.
/// </summary>
internal sealed class TestHistory(string? folder)
{
    private static readonly TimeSpan s_defaultTest = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_defaultStart = TimeSpan.FromMilliseconds(200);

    private readonly Dictionary<TestAssembly, AssemblyHistory> _assemblies = [];

    /// <summary>Gets how long a test will take.</summary>
    public TimeSpan Expected(TestCase test) =>
        Of(test.Assembly).Tests.TryGetValue(test.Id, out TestMemory? memory)
            ? TimeSpan.FromMilliseconds(memory.Milliseconds)
            : s_defaultTest;

    /// <summary>Gets whether the last verdict of a test was no pass; true if it is new.</summary>
    public bool IsOutstanding(TestCase test) =>
        !Of(test.Assembly).Tests.TryGetValue(test.Id, out TestMemory? memory) || memory.HasFailed;

    /// <summary>Gets how long a process of an assembly takes to come to its first test.</summary>
    public TimeSpan StartTime(TestAssembly assembly) =>
        Of(assembly).StartMilliseconds is double milliseconds
            ? TimeSpan.FromMilliseconds(milliseconds)
            : s_defaultStart;

    /// <summary>Takes in how long a process took to come to its first test.</summary>
    public void OnStart(TestAssembly assembly, TimeSpan time)
    {
        AssemblyHistory history = Of(assembly);
        history.StartMilliseconds = Mean(history.StartMilliseconds, time.TotalMilliseconds);
    }

    /// <summary>Takes in runs of the same tests.</summary>
    /// <param name="rows">The rows of all runs.</param>
    /// <param name="runs">How many runs these are.</param>
    public void Add(IReadOnlyList<TestRow> rows, int runs)
    {
        foreach (IGrouping<TestCase, TestRow> test in rows.GroupBy(row => row.Case))
        {
            bool hasRun = test.Any(row => row.Verdict != Verdict.NotRun);
            Dictionary<string, TestMemory> memories = Of(test.Key.Assembly).Tests;
            TestMemory? memory = memories.GetValueOrDefault(test.Key.Id);
            double milliseconds = test.Sum(row => row.Duration.TotalMilliseconds) / runs;
            memories[test.Key.Id] = new TestMemory
            {
                Name = test.Key.DisplayName,
                Milliseconds = hasRun ? Mean(memory?.Milliseconds, milliseconds) : memory?.Milliseconds ?? 0,
                HasFailed = test.Any(row => row.IsFailure),
                Runs = (memory?.Runs ?? 0) + (hasRun ? 1 : 0),
                Flakes = (memory?.Flakes ?? 0) + (test.Any(row => row.Verdict == Verdict.Flaky) ? 1 : 0),
                Failures = (memory?.Failures ?? 0) + (test.Any(row => row.Verdict.IsFailure()) ? 1 : 0),
            };
        }
    }

    /// <summary>Gets what is known of an assembly's tests.</summary>
    public AssemblyHistory Of(TestAssembly assembly)
    {
        if (!_assemblies.TryGetValue(assembly, out AssemblyHistory? history))
        {
            history = Read(assembly) ?? new AssemblyHistory();
            _assemblies[assembly] = history;
        }

        return history;
    }

    /// <summary>Writes the files. A failure loses the history, and nothing else.</summary>
    public void Save()
    {
        if (folder is null)
        {
            return;
        }

        try
        {
            Directory.CreateDirectory(folder);
            foreach ((TestAssembly assembly, AssemblyHistory history) in _assemblies)
            {
                // Another run may read or write the file at the same time, even in another container, where processes
                // have the same ids: it is exchanged whole.
                string path = FilePath(assembly);
                string temporary = $"{path}.{Guid.NewGuid():n}";
                File.WriteAllText(temporary, JsonSerializer.Serialize(history, HistoryJson.Default.AssemblyHistory));
                File.Move(temporary, path, overwrite: true);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            ErrorOutput.Write($"the history cannot be written: {exception.Message}");
        }
    }

    private AssemblyHistory? Read(TestAssembly assembly)
    {
        try
        {
            return folder is not null && File.Exists(FilePath(assembly))
                ? JsonSerializer.Deserialize(File.ReadAllText(FilePath(assembly)), HistoryJson.Default.AssemblyHistory)
                : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or JsonException)
        {
            return null;
        }
    }

    private string FilePath(TestAssembly assembly)
    {
        byte[] hash = SHA256.HashData(Encoding.UTF8.GetBytes(assembly.FilePath));
        return Path.Combine(folder!, $"{assembly.FileName}-{Convert.ToHexStringLower(hash.AsSpan(0, 6))}.json");
    }

    /// <summary>Weighs the newest value by a half: a test that has become slow is known to be after two runs.</summary>
    private static double Mean(double? old, double now) => old is double known ? (known + now) / 2 : now;
}
