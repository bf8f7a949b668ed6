using System;
using System.Collections.Generic;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Backends.Linux.Processes;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;

namespace ProcessRunner.Backends.Linux.Descendants;

/// <summary>
/// Represents the search for live descendants of children that have exited. A look at the whole process table takes
/// milliseconds, so the survey has a thread of its own, and one look answers all waiting questions.
/// </summary>
/// <remarks>
/// <para><c>_gate</c> guards the new questions. <see cref="Ask"/> takes it inside a child's gate, and the thread never
/// holds it while it looks or answers. All other state belongs to the thread.</para>
/// <para>A look can be incomplete because descriptors are short or a process is in the middle of an exec. The survey
/// then reports what it has found at once and repeats the look at the unclear processes until they are clear. A
/// question that has waited for <see cref="s_patience"/> is answered as far as known. The kernel can hold up a read for
/// longer: whoever asks waits for a limited time, and the thread holds no gate while it reads. The signals that an
/// answer causes are therefore sent after it, because the mark of their process is read before. The thread is started
/// with the backend, because later there may be no memory for it.</para>
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class ProcessSurvey : IDisposable
{
    // An exec continues as soon as its process gets a processor. A process that stays unclear for longer hangs in the
    // kernel.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_shortestPause = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_longestPause = TimeSpan.FromMilliseconds(16);

    private readonly object _gate = new();
    private readonly Action<HashSet<int>> _addLiveChildren;
    private readonly Thread _thread;
    private readonly ProcessTable _table = new();
    private readonly ProcessLook _look;
    private readonly List<Question> _asked = [];
    private readonly Queue<(LinuxChild Child, Descendant Descendant, int Signal)> _signals = [];
    private bool _isStopping;

    /// <param name="markPrefix">The prefix of the children's marks.</param>
    /// <param name="addLiveChildren">
    /// Adds the process ids of this backend's own children, which are not reported as descendants.
    /// </param>
    public ProcessSurvey(string markPrefix, Action<HashSet<int>> addLiveChildren)
    {
        _addLiveChildren = addLiveChildren;
        _look = new ProcessLook(_table, markPrefix);
        _thread = OwnThread.Start("ProcessRunner survey", Loop);
    }

    /// <summary>Queues a question. The answers arrive at <see cref="LinuxChild.OnSurvey"/>.</summary>
    /// <param name="child">The child, which stays a zombie until the last answer.</param>
    /// <param name="groupId">The child's process group, or null if it has no group of its own.</param>
    public void Ask(LinuxChild child, int? groupId)
    {
        using (Uninterruptible.Lock(_gate))
        {
            _asked.Add(new Question(child, groupId, MonotonicClock.In(s_patience)));
            Monitor.Pulse(_gate);
        }
    }

    /// <summary>
    /// Sends a signal to a descendant after the answer that is being delivered. Only <see cref="LinuxChild.OnSurvey"/>
    /// may call this.
    /// </summary>
    public void Signal(LinuxChild child, Descendant descendant, int number) =>
        _signals.Enqueue((child, descendant, number));

    /// <summary>
    /// Ends the thread. A read that the kernel holds up keeps it for longer, and it ends behind that. No child that
    /// could ask may be left.
    /// </summary>
    public void Dispose()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _isStopping = true;
            Monitor.Pulse(_gate);
        }

        Uninterruptible.Do(_thread, static thread => thread.Join(s_patience));
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

    // Blocks until there is work: new questions, or the end of the pause after an incomplete look.
    private bool TakeQuestions(List<Question> waiting, TimeSpan pause, out bool hasNew)
    {
        lock (_gate)
        {
            if (waiting.Count > 0 && _asked.Count == 0 && !_isStopping)
            {
                Monitor.Wait(_gate, pause);
            }

            while (waiting.Count == 0 && _asked.Count == 0 && !_isStopping)
            {
                Monitor.Wait(_gate);
            }

            hasNew = _asked.Count > 0 && TryTakeAsked(waiting);
            return !_isStopping;
        }
    }

    // Requires the gate. If there is no memory, the questions stay, and the next turn takes them.
    private bool TryTakeAsked(List<Question> waiting)
    {
        try
        {
            FaultPoint.AllocateManaged();
            waiting.AddRange(_asked);
            _asked.Clear();
            return true;
        }
        catch (OutOfMemoryException)
        {
            Monitor.Wait(_gate, s_longestPause);
            return false;
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

        for (int i = waiting.Count - 1; i >= 0; i--)
        {
            Question question = waiting[i];
            bool isLast = isClear || now >= question.PatienceEnd;
            if (isLast || question.Found.Count > 0)
            {
                // If there is no memory for an answer, the question stays. An answered one must not: its child may ask
                // again, and one look cannot answer both.
                Descendant[] found = [.. question.Found.Values];
                if (isLast)
                {
                    waiting.RemoveAt(i);
                }

                question.Child.OnSurvey(found, isLast);
                SendSignals();
            }
        }
    }

    private void SendSignals()
    {
        while (_signals.TryDequeue(out (LinuxChild Child, Descendant Descendant, int Signal) next))
        {
            bool isSent = false;
            try
            {
                isSent = _table.SignalIfMarked(next.Descendant.ProcessId, next.Child.Mark, next.Signal);
            }
            finally
            {
                if (!isSent)
                {
                    next.Child.OnStopNotSent(next.Descendant);
                }
            }
        }
    }
}
