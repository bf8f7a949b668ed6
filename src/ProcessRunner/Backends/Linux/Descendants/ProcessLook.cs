using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Processes;

namespace ProcessRunner.Backends.Linux.Descendants;

/// <summary>
/// Represents a look through the process table that answers several questions. It visits all processes first, and then
/// only those that were unclear. On a machine that executes programs all the time some are always unclear, but never
/// the same ones.
/// </summary>
/// <remarks>
/// The look reads no more than it must: nothing of the kernel threads and the processes older than this one that an
/// earlier look has seen, because they can be nobody's descendants. Not thread-safe: the survey's thread owns it.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class ProcessLook(ProcessTable table, string markPrefix)
{
    // Many processes never have an environment. One that executes a program at every look is not among them.
    private const int MostLooksAtEmpty = 3;

    private readonly Dictionary<int, Question> _byGroup = [];
    private readonly Dictionary<uint, Question> _byMark = [];
    private readonly List<ProcessEntry> _processes = [];
    private readonly List<uint> _numbers = [];
    private readonly Dictionary<int, Doubt> _unclear = [];

    // The processes that never become clear, by their id and start time: they have no environment, or hang in the
    // kernel.
    private readonly Dictionary<int, ulong> _hopeless = [];

    // The processes that were found by their marks, by their id, until they have ended.
    private readonly Dictionary<int, Marked> _marked = [];

    // The processes that can be nobody's descendants, by their id and node: the kernel gives each process another node.
    private readonly Dictionary<int, ulong> _strangers = [];

    // The zombies that a look has seen, by their id and start time: they fork nothing more.
    private readonly Dictionary<int, ulong> _zombies = [];

    private ulong _ownStartTime;
    private bool _mustLookAtAll;
    private bool _mayLookAtAllAgain;

    /// <summary>Begins a look at all processes.</summary>
    public void Begin()
    {
        _mustLookAtAll = true;
        _mayLookAtAllAgain = true;
    }

    /// <summary>Visits all processes, or only those that were unclear, if that is enough.</summary>
    /// <param name="questions">The questions to answer.</param>
    /// <param name="ours">The processes that are not reported as descendants.</param>
    /// <returns>True if every process has been seen by now.</returns>
    public bool TryFinish(List<Question> questions, HashSet<int> ours)
    {
        bool isAtAll = _mustLookAtAll;
        bool hasLost = false;

        // A child of ours can be seen during its start, before its id is known to be ours.
        Forget(_unclear, ours.Contains);
        _processes.Clear();
        if (isAtAll)
        {
            SetQuestions(questions);
            _mustLookAtAll = table.List(_processes) == ProcessSight.Short;
            HashSet<int> live = [.. _processes.Select(process => process.ProcessId)];
            Forget(_unclear, processId => !live.Contains(processId));
            Forget(_hopeless, processId => !live.Contains(processId));
            Forget(_marked, processId => !live.Contains(processId));
            Forget(_strangers, processId => !live.Contains(processId));
            Forget(_zombies, processId => !live.Contains(processId));
            ReadOwnStartTime();
        }
        else
        {
            _processes.AddRange(_unclear.Keys.Select(processId => new ProcessEntry(processId, 0)));
        }

        foreach (ProcessEntry process in _processes)
        {
            int processId = process.ProcessId;
            if (ours.Contains(processId) || IsKnownStranger(process))
            {
                continue;
            }

            ProcessSight sight = LookAt(process, out ProcessStat stat);
            hasLost |= sight == ProcessSight.Gone;
            Note(processId, sight, stat);
        }

        if (_unclear.Count == 0 && hasLost && _mayLookAtAllAgain)
        {
            // A process that ended unseen may have forked after the list of all processes was made. One more look at
            // all of them is enough: the next process that ends unseen is another one.
            _mustLookAtAll = true;
            _mayLookAtAllAgain = false;
        }

        return _unclear.Count == 0 && !_mustLookAtAll;
    }

    /// <summary>Stops waiting for the processes that are unclear now.</summary>
    public void GiveUpUnclear()
    {
        foreach ((int processId, Doubt doubt) in _unclear)
        {
            // Without a start time the process was never seen: only descriptors or memory were short.
            if (doubt.StartTime != 0)
            {
                _hopeless[processId] = doubt.StartTime;
            }
        }
    }

    private void SetQuestions(List<Question> questions)
    {
        _byGroup.Clear();
        _byMark.Clear();
        foreach (Question question in questions)
        {
            question.Found.Clear();
            if (question.GroupId is int groupId)
            {
                _byGroup[groupId] = question;
            }

            if (question.Child.Mark is { IsNone: false } mark)
            {
                _byMark[mark.Number] = question;
            }
        }
    }

    private static void Forget<T>(Dictionary<int, T> known, Func<int, bool> isForgotten)
    {
        foreach (int processId in known.Count == 0 ? [] : known.Keys.Where(isForgotten).ToArray())
        {
            known.Remove(processId);
        }
    }

    // In a process table that shows this process, its own id is its own.
    private void ReadOwnStartTime()
    {
        if (_ownStartTime == 0
            && !_mustLookAtAll
            && table.ReadStat(Environment.ProcessId, out ProcessStat stat) == ProcessSight.Clear)
        {
            _ownStartTime = stat.StartTime;
        }
    }

    private bool IsKnownStranger(ProcessEntry process) =>
        _strangers.TryGetValue(process.ProcessId, out ulong node) && node == process.Node;

    private ProcessSight LookAt(ProcessEntry process, out ProcessStat stat)
    {
        int processId = process.ProcessId;
        ProcessSight sight = table.ReadStat(processId, out stat);
        if (sight != ProcessSight.Clear)
        {
            return sight;
        }

        // A descendant has started after this process, or in the same tick.
        if (stat.IsKernelThread || stat.StartTime < _ownStartTime)
        {
            if (process.Node != 0)
            {
                _strangers[processId] = process.Node;
            }

            return sight;
        }

        if (!stat.IsLive)
        {
            bool isKnown = _zombies.TryGetValue(processId, out ulong startTime) && startTime == stat.StartTime;
            _zombies[processId] = stat.StartTime;
            return isKnown ? ProcessSight.Clear : ProcessSight.Gone;
        }

        if (_byGroup.TryGetValue(stat.GroupId, out Question? leader))
        {
            Add(leader, processId, table.ThreadWithMemory(processId, stat), isInGroup: true);
            return ProcessSight.Clear;
        }

        return _byMark.Count == 0 ? ProcessSight.Clear : LookForMarks(processId, ref stat);
    }

    private ProcessSight LookForMarks(int processId, ref ProcessStat stat)
    {
        int thread = table.ThreadWithMemory(processId, stat);
        ProcessSight sight = table.ReadMarks(processId, thread, out ReadOnlySpan<byte> chain);
        _numbers.Clear();
        ChildMark.AddNumbers(chain, markPrefix, _numbers);
        if (TryAdd(processId, thread, _numbers))
        {
            _marked[processId] = new Marked([.. _numbers], stat.StartTime);
        }

        // A process that has just ended has no environment either, and one in the middle of an exec has none yet.
        bool wasInExec = stat.IsInExec;
        if (sight is ProcessSight.Clear or ProcessSight.Denied or ProcessSight.Short
            || table.ReadStat(processId, out stat) != ProcessSight.Clear)
        {
            return sight;
        }

        if (!stat.IsLive)
        {
            return ProcessSight.Gone;
        }

        // The kernel frees the memory of a process, which can take seconds, before it closes the descriptors
        // (do_exit in kernel/exit.c).
        if (_marked.TryGetValue(processId, out Marked known) && known.StartTime == stat.StartTime)
        {
            _ = TryAdd(processId, thread, known.Numbers);
            return ProcessSight.Clear;
        }

        // Where a thread has gone, another one may live on.
        bool isUnclear = sight == ProcessSight.Gone ? stat.HasLostItsFirstThread : wasInExec || stat.IsInExec;
        return isUnclear ? ProcessSight.NoMemory : sight;
    }

    // Returns false if no question asks for any of the marks.
    private bool TryAdd(int processId, int thread, IReadOnlyList<uint> marks)
    {
        bool isAdded = false;
        foreach (uint number in marks)
        {
            if (_byMark.TryGetValue(number, out Question? ancestor))
            {
                Add(ancestor, processId, thread, isInGroup: false);
                isAdded = true;
            }
        }

        return isAdded;
    }

    private void Add(Question question, int processId, int thread, bool isInGroup) =>
        question.Found[processId] = new Descendant(processId, table.CommandLineOf(processId, thread), isInGroup);

    private void Note(int processId, ProcessSight sight, ProcessStat stat)
    {
        bool isHopeless = _hopeless.TryGetValue(processId, out ulong startTime) && startTime == stat.StartTime;
        int looks = sight == ProcessSight.Empty ? _unclear.GetValueOrDefault(processId).LooksAtEmpty + 1 : 0;
        if (sight == ProcessSight.Empty && looks == MostLooksAtEmpty)
        {
            isHopeless = true;
            _hopeless[processId] = stat.StartTime;
        }

        if (!isHopeless && sight is ProcessSight.Short or ProcessSight.NoMemory or ProcessSight.Empty)
        {
            _unclear[processId] = new Doubt(looks, stat.StartTime);
        }
        else
        {
            _unclear.Remove(processId);
        }
    }

    private readonly record struct Doubt(int LooksAtEmpty, ulong StartTime);

    private readonly record struct Marked(uint[] Numbers, ulong StartTime);
}
