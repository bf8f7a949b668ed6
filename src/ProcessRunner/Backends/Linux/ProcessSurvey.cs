using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.Versioning;
using System.Threading;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Finds the live descendants of children that have exited. A look at the whole process table takes milliseconds, so a
/// thread of its own takes it, and one look answers all questions that wait.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards the questions; it is taken inside a child's gate by <see cref="Ask"/> and never held while the
/// thread takes one to answer. A look that could not see everything, for want of descriptors or because a process was in
/// the middle of an exec, answers nothing: it is taken again. The thread is started with the backend, because later there
/// may be no memory for it.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class ProcessSurvey : IDisposable
{
    private const int KernelThreadParent = 2;

    // The moment of an exec in which an environment is there but seems empty is short. Many have none for good.
    private const int LooksAtEmpty = 3;

    // An exec goes on as soon as its process gets a processor. What stays without memory for longer than that is dying,
    // and cannot: no look ever sees more of it.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(2);

    private readonly object _gate = new();
    private readonly Action<HashSet<int>> _addLiveChildren;
    private readonly Thread _thread;
    private List<Question> _questions = [];
    private bool _stopping;

    /// <param name="addLiveChildren">Adds the ids of our own children, which are nobody's descendants here.</param>
    public ProcessSurvey(Action<HashSet<int>> addLiveChildren)
    {
        _addLiveChildren = addLiveChildren;
        _thread = OwnThread.Start("ProcessRunner survey", Loop);
    }

    /// <summary>Queues a question; the answer comes by <see cref="LinuxChild.OnSurvey"/>.</summary>
    /// <param name="child">The child, which is held as a zombie until the answer has come.</param>
    /// <param name="groupId">Its process group, or null if that is not its own.</param>
    public void Ask(LinuxChild child, int? groupId)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _questions.Add(new Question(child, groupId));
            Monitor.Pulse(_gate);
        }
    }

    /// <summary>Ends the thread; no child that could ask is left.</summary>
    public void Dispose()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _stopping = true;
            Monitor.Pulse(_gate);
        }

        Uninterruptible.Do(_thread, static thread => thread.Join());
    }

    private void Loop()
    {
        try
        {
            while (TakeQuestions() is List<Question> questions)
            {
                Answer(questions);
            }
        }
        catch (Exception exception)
        {
            Environment.FailFast("ProcessRunner: the survey thread met a broken invariant.", exception);
        }
    }

    private List<Question>? TakeQuestions()
    {
        lock (_gate)
        {
            while (_questions.Count == 0 && !_stopping)
            {
                Monitor.Wait(_gate);
            }

            List<Question> taken = _questions;
            _questions = [];
            return taken.Count == 0 ? null : taken;
        }
    }

    private void Answer(List<Question> questions)
    {
        long patienceEnd = MonotonicClock.After(MonotonicClock.Now, s_patience);
        for (int look = 1; !TryLook(questions, look, patienceEnd); look++)
        {
            lock (_gate)
            {
                if (_stopping)
                {
                    return;
                }

                Monitor.Wait(_gate, s_pause);
            }
        }

        foreach (Question question in questions)
        {
            question.Child.OnSurvey(question.Found);
        }
    }

    private bool TryLook(List<Question> questions, int look, long patienceEnd)
    {
        questions.ForEach(question => question.Found.Clear());
        try
        {
            return Look(questions, look) || MonotonicClock.Now >= patienceEnd;
        }
        catch (IOException)
        {
            // Out of descriptors or memory, for now.
            return false;
        }
    }

    // True if every process could be seen.
    private bool Look(List<Question> questions, int look)
    {
        Dictionary<int, Question> byGroup = [];
        List<Question> marked = [];
        foreach (Question question in questions)
        {
            if (question.GroupId is int groupId)
            {
                byGroup[groupId] = question;
            }

            if (!question.Child.Mark.IsNone)
            {
                marked.Add(question);
            }
        }

        HashSet<int> ours = [Environment.ProcessId];
        _addLiveChildren(ours);
        bool isClear = true;
        foreach (int processId in ProcessTable.ProcessIds())
        {
            if (ours.Contains(processId) || !ProcessTable.TryReadLive(processId, out int parentId, out int groupId))
            {
                continue;
            }

            if (byGroup.TryGetValue(groupId, out Question? question))
            {
                question.Add(processId, isInGroup: true);
            }
            else if (marked.Count > 0 && processId != KernelThreadParent && parentId != KernelThreadParent)
            {
                isClear &= TryAddMarked(processId, marked, look);
            }
        }

        return isClear;
    }

    private static bool TryAddMarked(int processId, List<Question> marked, int look)
    {
        byte[] chain = ProcessTable.MarksOf(processId, out EnvironmentSight sight);
        foreach (Question question in chain is [] ? [] : marked)
        {
            if (question.Child.Mark.IsIn(chain))
            {
                question.Add(processId, isInGroup: false);
            }
        }

        return sight switch
        {
            EnvironmentSight.Clear => true,
            EnvironmentSight.Empty when look >= LooksAtEmpty => true,
            _ => !ProcessTable.TryReadLive(processId, out _, out _),
        };
    }

    private sealed record Question(LinuxChild Child, int? GroupId)
    {
        public List<Descendant> Found { get; } = [];

        public void Add(int processId, bool isInGroup) =>
            Found.Add(new Descendant(processId, ProcessTable.CommandLineOf(processId), isInGroup));
    }
}
