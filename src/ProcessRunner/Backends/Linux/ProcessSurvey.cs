using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Finds the live descendants of children that have exited. A look at the whole process table takes milliseconds, so a
/// thread of its own takes it, and one look answers all questions that wait.
/// </summary>
/// <remarks>
/// <c>_gate</c> guards the new questions; it is taken inside a child's gate by <see cref="Ask"/> and never held while the
/// thread looks or answers. Everything else is the thread's own. Where a look could not see everything, for want of
/// descriptors or because a process was in the middle of an exec, what it has found is told at once, and looks at what was
/// unclear follow until it is clear; a question that has waited for <see cref="s_patience"/> is answered as far as known. The
/// thread is started with the backend, because later there may be no memory for it.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class ProcessSurvey : IDisposable
{
    // An exec goes on as soon as its process gets a processor. What stays unclear for longer than that hangs in the kernel.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_shortestPause = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_longestPause = TimeSpan.FromMilliseconds(16);

    private readonly object _gate = new();
    private readonly Action<HashSet<int>> _addLiveChildren;
    private readonly Thread _thread;
    private readonly ProcessTable _table = new();
    private readonly ProcessLook _look;
    private readonly List<Question> _asked = [];
    private bool _stopping;

    /// <param name="markPrefix">What the marks of the children begin with.</param>
    /// <param name="addLiveChildren">Adds the ids of our own children, which are nobody's descendants here.</param>
    public ProcessSurvey(string markPrefix, Action<HashSet<int>> addLiveChildren)
    {
        _addLiveChildren = addLiveChildren;
        _look = new ProcessLook(_table, markPrefix);
        _thread = OwnThread.Start("ProcessRunner survey", Loop);
    }

    /// <summary>Queues a question; the answers come by <see cref="LinuxChild.OnSurvey"/>.</summary>
    /// <param name="child">The child, which is held as a zombie until the last answer has come.</param>
    /// <param name="groupId">Its process group, or null if that is not its own.</param>
    public void Ask(LinuxChild child, int? groupId)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _asked.Add(new Question(child, groupId, MonotonicClock.After(MonotonicClock.Now, s_patience)));
            Monitor.Pulse(_gate);
        }
    }

    /// <summary>Sends a signal to a process that carries a mark. Only for the thread of the answers.</summary>
    /// <inheritdoc cref="ProcessTable.SignalIfMarked"/>
    public bool Signal(PosixSignal signal, int processId, ChildMark mark) =>
        _table.SignalIfMarked(processId, mark, Signals.Number(signal));

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
            List<Question> waiting = [];
            TimeSpan pause = TimeSpan.Zero;
            while (TakeQuestions(waiting, pause, out bool hasNew))
            {
                if (hasNew)
                {
                    _look.Begin();
                }

                TryAnswer(waiting);
                pause = hasNew ? s_shortestPause : TimeSpan.FromTicks(Math.Min(pause.Ticks * 2, s_longestPause.Ticks));
            }
        }
        catch (Exception exception)
        {
            Environment.FailFast("ProcessRunner: the survey thread met a broken invariant.", exception);
        }
    }

    // Blocks until there is something to look for: new questions, or a pause after a look that was not clear.
    private bool TakeQuestions(List<Question> waiting, TimeSpan pause, out bool hasNew)
    {
        lock (_gate)
        {
            if (waiting.Count > 0 && _asked.Count == 0 && !_stopping)
            {
                Monitor.Wait(_gate, pause);
            }

            while (waiting.Count == 0 && _asked.Count == 0 && !_stopping)
            {
                Monitor.Wait(_gate);
            }

            hasNew = _asked.Count > 0;
            waiting.AddRange(_asked);
            _asked.Clear();
            return !_stopping;
        }
    }

    private void TryAnswer(List<Question> waiting)
    {
        try
        {
            HashSet<int> ours = [Environment.ProcessId];
            _addLiveChildren(ours);
            Answer(waiting, _look.TryFinish(waiting, ours));
        }
        catch (OutOfMemoryException)
        {
            _look.Begin();
        }
    }

    private void Answer(List<Question> waiting, bool isClear)
    {
        long now = MonotonicClock.Now;
        if (!isClear && waiting.Exists(question => now >= question.PatienceEnd))
        {
            _look.GiveUpUnclear();
        }

        foreach (Question question in waiting)
        {
            bool isLast = isClear || now >= question.PatienceEnd;
            if (isLast || question.Found.Count > 0)
            {
                question.Child.OnSurvey([.. question.Found.Values], isLast);
            }
        }

        waiting.RemoveAll(question => isClear || now >= question.PatienceEnd);
    }
}
