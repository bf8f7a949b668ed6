using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Threading;
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

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    /// <summary>
    /// After how many runs a test that is not listed any longer is forgotten. Until then it may come back, as from
    /// another branch. A row whose data differ in each run has another id each time, and would fill the file.
    /// </summary>
    private const int MaxMissed = 50;

    private readonly Dictionary<TestAssembly, AssemblyHistory> _assemblies = [];
    private readonly Dictionary<TestAssembly, double> _starts = [];

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
    public void OnStart(TestAssembly assembly, TimeSpan time) => _starts[assembly] =
        Mean(_starts.TryGetValue(assembly, out double known) ? known : null, time.TotalMilliseconds);

    /// <summary>
    /// Adds runs of the same tests to the files. Another run may have ended since this one began, so each file is read
    /// once more. A failure loses the history of these runs, and nothing else.
    /// </summary>
    /// <param name="listed">All tests that were listed, those that were not to run included.</param>
    /// <param name="rows">The rows of all runs.</param>
    /// <param name="runs">How many runs these are.</param>
    public void Add(IReadOnlyList<TestCase> listed, IReadOnlyList<TestRow> rows, int runs)
    {
        if (folder is null)
        {
            return;
        }

        try
        {
            Directory.CreateDirectory(folder);
            using FileStream turn = Turn();
            foreach (IGrouping<TestAssembly, TestRow> one in rows.GroupBy(row => row.Case.Assembly))
            {
                AssemblyHistory history = Read(one.Key, out _);
                if (_starts.TryGetValue(one.Key, out double start))
                {
                    history.StartMilliseconds = Mean(history.StartMilliseconds, start);
                }

                Forget(history.Tests, [.. listed.Where(test => test.Assembly == one.Key).Select(test => test.Id)]);
                Add(history.Tests, one, runs);
                UserCache.Write(
                    FilePath(one.Key), JsonSerializer.Serialize(history, HistoryJson.Default.AssemblyHistory));
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            ErrorOutput.Write($"the history cannot be written: {exception.Message}");
        }
    }

    /// <summary>Counts a run for the tests that it has not listed, and forgets those that are gone.</summary>
    private static void Forget(Dictionary<string, TestMemory> memories, HashSet<string> listed)
    {
        foreach ((string id, TestMemory memory) in memories.ToArray())
        {
            int missed = listed.Contains(id) ? 0 : memory.Missed + 1;
            if (missed >= MaxMissed)
            {
                memories.Remove(id);
            }
            else
            {
                memories[id] = memory with { Missed = missed };
            }
        }
    }

    private static void Add(Dictionary<string, TestMemory> memories, IEnumerable<TestRow> rows, int runs)
    {
        ILookup<TestCase, TestRow> tests = rows.ToLookup(row => row.Case);
        HashSet<string> ids = [.. tests.Select(test => test.Key.Id)];
        foreach (IGrouping<TestCase, TestRow> test in tests)
        {
            bool hasRun = test.Any(row => row.Verdict != Verdict.NotRun);
            TestMemory? memory = memories.GetValueOrDefault(test.Key.Id);
            string[] company = [.. test.SelectMany(row => row.Company).Select(one => one.Id)];

            // A pass without the others says nothing of a failure that needs them.
            bool isOpen = memory?.Company?.All(ids.Contains) == false;
            double milliseconds = test.Sum(row => row.Duration.TotalMilliseconds) / runs;
            memories[test.Key.Id] = new TestMemory
            {
                Name = test.Key.DisplayName,
                Milliseconds = hasRun ? Mean(memory?.Milliseconds, milliseconds) : memory?.Milliseconds ?? 0,
                HasFailed = isOpen || test.Any(row => row.IsFailure),
                Company = company.Length > 0 ? company : isOpen ? memory!.Company : null,
            };
        }
    }

    /// <summary>Waits until no other run writes to the folder.</summary>
    /// <returns>What keeps others away until it is disposed.</returns>
    private FileStream Turn()
    {
        long begin = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                return new FileStream(
                    Path.Combine(folder!, "lock"), FileMode.OpenOrCreate, FileAccess.Write, FileShare.None);
            }
            catch (IOException exception) when (IsTaken(exception) && Stopwatch.GetElapsedTime(begin) < s_patience)
            {
                Thread.Sleep(20);
            }
        }
    }

    // EWOULDBLOCK of Linux and of macOS, ERROR_SHARING_VIOLATION.
    private static bool IsTaken(IOException exception) => (exception.HResult & 0xFFFF) is 11 or 35 or 32;

    private AssemblyHistory Of(TestAssembly assembly)
    {
        if (!_assemblies.TryGetValue(assembly, out AssemblyHistory? history))
        {
            history = Read(assembly, out string? fault);
            _assemblies[assembly] = history;
            if (fault is not null)
            {
                ErrorOutput.Write($"the history of {assembly.Name} begins anew: {fault}");
            }
        }

        return history;
    }

    /// <summary>Reads the file of an assembly.</summary>
    /// <param name="assembly">The assembly.</param>
    /// <param name="fault">Why the file cannot be read; null if it can, or if there is none.</param>
    private AssemblyHistory Read(TestAssembly assembly, out string? fault)
    {
        fault = null;
        try
        {
            AssemblyHistory? history = folder is not null && File.Exists(FilePath(assembly))
                ? JsonSerializer.Deserialize(File.ReadAllText(FilePath(assembly)), HistoryJson.Default.AssemblyHistory)
                : new AssemblyHistory();
            if (history is { IsValid: true })
            {
                return history;
            }

            fault = $"{FilePath(assembly)} is not a history";
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or JsonException)
        {
            fault = exception.Message;
        }

        return new AssemblyHistory();
    }

    private string FilePath(TestAssembly assembly)
    {
        byte[] hash = SHA256.HashData(Encoding.UTF8.GetBytes(assembly.FilePath));
        return Path.Combine(folder!, $"{assembly.FileName}-{Convert.ToHexStringLower(hash.AsSpan(0, 6))}.json");
    }

    /// <summary>Weighs the newest value by a half: a test that has become slow is known to be after two runs.</summary>
    private static double Mean(double? old, double now) => old is double known ? (known + now) / 2 : now;
}
