using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;

namespace PTest.Hosts;

/// <summary>
/// Reports to the runner which processes tests have started that live on. It looks after each test, so that each
/// process is known by the test in whose time it came. Whether it is left behind for good the runner sees at the end.
/// </summary>
/// <remarks>
/// A look costs one small file: the kernel shows the id that it gave last. It gives ids in order, so those since the
/// previous look are all that can be new. Without this file, as on other systems than Linux, there is nothing to see.
/// Safe from any thread.
/// </remarks>
internal sealed class LeftProcesses
{
    private const int MaxRange = 4096;
    private const int MaxRounds = 10;

    private static readonly long s_longestDoubt = Stopwatch.Frequency / 10;

    private readonly object _lock = new();
    private readonly EventWriter _events;
    private readonly int _self;
    private readonly bool _leadsGroup;
    private readonly string? _mark;
    private readonly HashSet<string> _running = [];
    private readonly HashSet<string> _window = [];

    // Those that lived at the last look, with the tests that may have started them.
    private readonly Dictionary<int, string[]> _known = [];

    // The ids of those that cannot be told from strangers yet. Later looks ask again.
    private readonly Dictionary<int, Doubt> _doubts = [];
    private int _last;

    public LeftProcesses(EventWriter events)
    {
        _events = events;
        _last = LastId();
        if (_last > 0 && ProcessFacts.OfSelf() is ProcessFacts self)
        {
            _self = self.ProcessId;
            _leadsGroup = self.GroupId == _self;
            string? mark = Environment.GetEnvironmentVariable(ProcessFacts.MarkVariable);
            _mark = string.IsNullOrEmpty(mark) ? null : $"{ProcessFacts.MarkVariable}={mark}";
        }
    }

    /// <summary>Notes the start of a test.</summary>
    public void OnStarted(string test)
    {
        lock (_lock)
        {
            _running.Add(test);
            _window.Add(test);
        }
    }

    /// <summary>Looks for processes after the end of a test.</summary>
    /// <param name="test">The id of the test.</param>
    /// <param name="name">Its name, with the data of its row.</param>
    public void OnEnded(string test, string name)
    {
        lock (_lock)
        {
            _running.Remove(test);
            if (_self > 0)
            {
                Look(name);
            }

            _window.Clear();
            _window.UnionWith(_running);
        }
    }

    private void Look(string name)
    {
        // A process may start another and end while this looks: it looks on until nothing new has come. Only then is it
        // safe to forget those that had ended before: what they started has been seen.
        int[] before = [.. _known.Keys];
        for (int round = 0; round < MaxRounds; round++)
        {
            int[] ended = [.. before.Where(id => ProcessFacts.Of(id) is not { IsAlive: true })];
            LookAt([.. _doubts.Keys], before, name);
            int last = LastId();
            if (last == _last)
            {
                foreach (int id in ended)
                {
                    _known.Remove(id);
                }

                return;
            }

            LookAt(Ids(_last, last), before, name);
            _last = last;
        }
    }

    private void LookAt(IEnumerable<int> ids, int[] before, string name)
    {
        foreach (int id in ids.Where(id => !_known.ContainsKey(id)))
        {
            ProcessFacts? process = ProcessFacts.Of(id);
            _ = _doubts.TryGetValue(id, out Doubt? doubt);
            _doubts.Remove(id);
            bool isUnclear = process is null;
            if (process is ProcessFacts one && IsDescendant(one, out isUnclear))
            {
                Know(one, doubt?.Owners ?? Owners(one, before), name);
            }
            else if (isUnclear)
            {
                Note(id, process, doubt ?? new Doubt(Anyone(before)), name);
            }
        }
    }

    private void Note(int id, ProcessFacts? process, Doubt doubt, string name)
    {
        if (!doubt.IsOver)
        {
            bool reports = process is not null && !doubt.IsReported;
            _doubts[id] = reports ? doubt.Reported() : doubt;
            if (reports)
            {
                Report(EventNames.Unclear, process!.Value, doubt.Owners, name);
            }
        }
    }

    private void Know(ProcessFacts process, string[] owners, string name)
    {
        _known.Add(process.ProcessId, owners);
        Report(EventNames.Left, process, owners, name);
    }

    /// <summary>
    /// Gets the tests that may have started a process: those of its parent or, if its parent has ended, also those of
    /// the processes that lived when these tests began.
    /// </summary>
    private string[] Owners(ProcessFacts process, int[] before)
    {
        if (process.ParentId == _self)
        {
            return [.. _window];
        }

        return _known.TryGetValue(process.ParentId, out string[]? owners)
            ? owners
            : Anyone(before);
    }

    private string[] Anyone(int[] before) => [.. _window.Concat(before.SelectMany(id => _known[id])).Distinct()];

    private void Report(string what, ProcessFacts process, string[] owners, string name) => _events.Write(
        what,
        ("process", process.ProcessId.ToString(CultureInfo.InvariantCulture)),
        ("ticks", process.StartTicks.ToString(CultureInfo.InvariantCulture)),
        ("owners", string.Join(" ", owners)),
        ("test", name),
        ("command", process.ReadMemory("cmdline").TrimEnd('\0').Replace('\0', ' ')));

    /// <summary>Returns whether a process descends from this one and lives. Ids of threads are no processes.</summary>
    /// <param name="process">The process.</param>
    /// <param name="isUnclear">
    /// Whether the process shows no environment: it belongs to another user, or is in the middle of an exec.
    /// </param>
    private bool IsDescendant(ProcessFacts process, out bool isUnclear)
    {
        isUnclear = false;
        if (!process.IsAlive)
        {
            return false;
        }

        bool isOurs = process.ParentId == _self
            || _known.ContainsKey(process.ParentId)
            || (_leadsGroup && process.GroupId == _self);
        if (!isOurs && _mark is not null)
        {
            string environment = process.ReadMemory("environ");
            isUnclear = environment.Length == 0;
            isOurs = environment.Contains(_mark);
        }

        string id = process.ProcessId.ToString(CultureInfo.InvariantCulture);
        return isOurs && ProcessFacts.Read(process.ProcessId, "status").Contains($"\nTgid:\t{id}\n");
    }

    /// <summary>Gets the ids that the kernel has given since; those of all processes if that would be many.</summary>
    private IEnumerable<int> Ids(int previous, int last) =>
        last > previous && last - previous <= MaxRange
            ? Enumerable.Range(previous + 1, last - previous)
            : Directory.GetDirectories("/proc")
                .Select(path => int.TryParse(Path.GetFileName(path), out int id) ? id : 0)
                .Where(id => id > 0 && id != _self);

    /// <summary>Gets the id that the kernel gave last, proc_loadavg(5); 0 if it does not show it.</summary>
    private static int LastId()
    {
        string text = File.Exists("/proc/loadavg") ? File.ReadAllText("/proc/loadavg") : "";
        return int.TryParse(text.Substring(text.LastIndexOf(' ') + 1), out int id) ? id : 0;
    }

    /// <summary>
    /// Represents an id behind which no process can be seen, or one that shows no environment. The kernel gives an id
    /// before its process can be seen (copy_process in kernel/fork.c), and an exec takes a moment.
    /// </summary>
    private sealed class Doubt
    {
        private readonly long _until;

        public Doubt(string[] owners)
            : this(owners, Stopwatch.GetTimestamp() + s_longestDoubt, isReported: false)
        {
        }

        private Doubt(string[] owners, long until, bool isReported)
        {
            Owners = owners;
            _until = until;
            IsReported = isReported;
        }

        /// <summary>Gets the tests that may have started it.</summary>
        public string[] Owners { get; }

        /// <summary>Gets whether the runner knows of it.</summary>
        public bool IsReported { get; }

        public bool IsOver => Stopwatch.GetTimestamp() > _until;

        public Doubt Reported() => new(Owners, _until, isReported: true);
    }
}
