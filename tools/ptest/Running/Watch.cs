using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using ProcessRunner;
using PTest.Hosts;
using PTest.Suites;

namespace PTest.Running;

/// <summary>
/// Looks after the processes that run, on a thread of its own: reads their events, and stops those in which a test
/// takes too long. The limit is that of each test, however many of them a process runs.
/// </summary>
internal sealed class Watch : IDisposable
{
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(100);

    private readonly SessionOptions _options;
    private readonly BatchRun _batch;
    private readonly UnitQueue _queue;
    private readonly Action<BatchRun> _tick;

    // It does not spin before it waits: its wait ends by the time, ten times a second.
    private readonly ManualResetEventSlim _ended = new(initialState: false, spinCount: 0);
    private readonly Thread _thread;

    public Watch(SessionOptions options, BatchRun batch, UnitQueue queue, Action<BatchRun> tick)
    {
        _options = options;
        _batch = batch;
        _queue = queue;
        _tick = tick;
        _thread = new Thread(Loop) { IsBackground = true, Name = "ptest watch" };
        _thread.Start();
    }

    public void Dispose()
    {
        _ended.Set();
        _thread.Join();
        _ended.Dispose();
    }

    /// <summary>Gets what has ended the watch before its time; null if nothing has.</summary>
    public Exception? Fault { get; private set; }

    private void Loop()
    {
        try
        {
            while (!_ended.Wait(s_interval))
            {
                Look();
            }
        }
        catch (Exception exception)
        {
            // Nothing would end a test that hangs. The session reports the reason.
            Fault = exception;
            _queue.Close();
            _batch.RequestStop();
        }
    }

    private void Look()
    {
        _queue.Tick();
        if (_batch.StoppedBy != StopCause.None)
        {
            // The batch waits for the end of its input.
            _queue.Close();
        }

        foreach (RunningItem item in _batch.RunningItems())
        {
            UnitRun run = (UnitRun)item.Item.Tag!;
            run.Events.ReadTo(run);
            if (run.StopReason is null && Overdue(run, item) is string reason)
            {
                run.StopReason = reason;
                run.LivingAtStop = LivingProcess.AllOf(run, item.ProcessId);
                Stop(run, item);
            }
        }

        _tick(_batch);
    }

    private string? Overdue(UnitRun run, RunningItem item)
    {
        if (run.HasRunEnded)
        {
            TimeSpan grace = _options.EndGrace;
            return run.Silence > grace ? $"the process did not end within {Seconds(grace)}" : null;
        }

        foreach (RunningTest test in run.Running)
        {
            TimeSpan limit = _options.PolicyOf(test.Case).Timeout;
            if (limit > TimeSpan.Zero && test.Elapsed > limit)
            {
                return Text(limit);
            }
        }

        TimeSpan silence = run.Silence ?? item.RunTime;
        return run.Running.Count == 0 && LimitBetween(run) is TimeSpan between && silence > between
            ? Text(between)
            : null;
    }

    /// <summary>
    /// Gets how long a process may prepare what tests share: as long as one of these may take. The framework decides
    /// which of them comes next. A process that reports no test may take as long as all of them. The start of the
    /// others, and their search for the tests, is no time of a test: it may take as long as a list.
    /// </summary>
    private TimeSpan? LimitBetween(UnitRun run)
    {
        TestCase[] left = [.. run.Unit.Tests.Where(test => !run.HasEnded(test))];
        TimeSpan[] limits =
            [.. (left.Length > 0 ? left : run.Unit.Tests).Select(test => _options.PolicyOf(test).Timeout)];
        return !limits.All(limit => limit > TimeSpan.Zero) ? null
            : run.Unit.Assembly.Host.CanSelect
                ? (run.Silence is null ? limits.Append(_options.ListLimit) : limits).Max()
            : limits.Aggregate((sum, limit) => sum + limit);
    }

    private static string Text(TimeSpan limit) => $"it took longer than {Seconds(limit)}";

    private static string Seconds(TimeSpan time) =>
        string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0.###} s");

    /// <summary>Stops a process on another thread: a dump takes its time, and others must not wait for it.</summary>
    private void Stop(UnitRun run, RunningItem item)
    {
        if (_options.Dump == DumpKind.None || item.ProcessId == 0)
        {
            item.RequestStop();
            return;
        }

        TestHost host = run.Unit.Assembly.Host;
        int process = run.LivingAtStop?.FirstOrDefault(one => host.RunsTests(one.CommandLine))?.ProcessId
            ?? item.ProcessId;
        new Thread(() =>
        {
            run.Dump = HangDump.Write(process, _options.Dump, Path.GetFullPath(_options.DumpFolder));
            item.RequestStop();
        })
        {
            IsBackground = true,
            Name = "ptest dump",
        }.Start();
    }
}
