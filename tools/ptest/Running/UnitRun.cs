using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using PTest.Hosts;
using PTest.Suites;
using PTest.Units;

namespace PTest.Running;

/// <summary>
/// Represents one process of tests: what it has reported so far. Events come from one thread at a time, and others read
/// meanwhile, so the collections take the lock. The reason of a stop and what belongs to it are set before the stop,
/// and read after the process has ended. From then on nothing changes.
/// </summary>
internal sealed class UnitRun
{
    private readonly object _lock = new();
    private readonly Dictionary<string, TestCase> _tests;
    private readonly Dictionary<(string Case, string Test), RunningTest> _running = [];
    private readonly List<EndedTest> _ended = [];
    private readonly HashSet<TestCase> _endedCases = [];
    private readonly List<HostEvent> _errors = [];
    private readonly List<LeftProcess> _left = [];
    private readonly HashSet<TestCase> _lost = [];
    private readonly HashSet<string> _outcomes = [];
    private bool _isReady;
    private bool _hasCollectionBegun;
    private int _lastMark;
    private long _lastSeen;

    public UnitRun(TestUnit unit, WorkFolder folder)
    {
        Unit = unit;
        Folder = folder;
        Events = new EventFile(folder.EventFile);
        _tests = unit.Tests.ToDictionary(test => test.Id);
    }

    public TestUnit Unit { get; }

    public WorkFolder Folder { get; }

    public EventFile Events { get; }

    public OutputLog Output { get; } = new();

    /// <summary>Gets whether the host has said that its run is over. Without that, an end is no verdict.</summary>
    public bool HasRunEnded { get; private set; }

    /// <summary>
    /// Gets whether the process is in what all tests of its assembly share: it has found its tests, and no collection
    /// of them has begun. False where the host reports no collections.
    /// </summary>
    public bool IsBeforeCollections
    {
        get
        {
            lock (_lock)
            {
                return Unit.Assembly.Host.ReportsCollections && _isReady && !_hasCollectionBegun;
            }
        }
    }

    /// <summary>Gets the moment of the first event: by then the process was ready to run tests.</summary>
    public DateTime FirstEvent { get; private set; }

    /// <summary>Gets the moment of the last event.</summary>
    public DateTime LastEvent { get; private set; }

    /// <summary>Gets where the output was at the last event.</summary>
    public OutputPosition LastPosition => new(LastEvent, Unit.Assembly.Host.MarksOutput ? _lastMark : null);

    /// <summary>
    /// Gets how long the process has reported nothing, which no step of the system's clock changes; null before the
    /// first event.
    /// </summary>
    public TimeSpan? Silence
    {
        get
        {
            lock (_lock)
            {
                return _lastSeen == 0 ? null : Stopwatch.GetElapsedTime(_lastSeen);
            }
        }
    }

    /// <summary>
    /// Gets or sets why the runner stops the process; null if it does not. Tests that the process reports from then on
    /// have no meaning: the stop may be what ends one and begins another.
    /// </summary>
    public string? StopReason { get; set; }

    /// <summary>Gets whether the process has got the signal to stop, or was about to when it ended.</summary>
    public bool IsStopped { get; private set; }

    /// <summary>Gets or sets the path of a dump of the process before the stop.</summary>
    public string? Dump { get; set; }

    /// <summary>Gets the failure of the host itself, or null.</summary>
    public string? HostError { get; private set; }

    /// <summary>Gets the failures outside of tests, in the order of their coming.</summary>
    public IReadOnlyList<HostEvent> Errors
    {
        get
        {
            lock (_lock)
            {
                return [.. _errors];
            }
        }
    }

    /// <summary>Gets the tests that have ended, in the order of their ends.</summary>
    public IReadOnlyList<EndedTest> Ended
    {
        get
        {
            lock (_lock)
            {
                return [.. _ended];
            }
        }
    }

    /// <summary>Gets the outcomes of tests, those included that were not asked for. Read after the end.</summary>
    public IReadOnlySet<string> Outcomes => _outcomes;

    /// <summary>Gets the processes that lived on at the ends of tests, and those that may be such.</summary>
    public IReadOnlyList<LeftProcess> Left
    {
        get
        {
            lock (_lock)
            {
                return [.. _left];
            }
        }
    }

    /// <summary>
    /// Gets or sets the processes that lived right before the runner stopped this one; null if it did not, or did not
    /// see.
    /// </summary>
    public IReadOnlyList<LivingProcess>? LivingAtStop { get; set; }

    /// <summary>Gets the tests that have started and not ended.</summary>
    public IReadOnlyList<RunningTest> Running
    {
        get
        {
            lock (_lock)
            {
                return [.. _running.Values];
            }
        }
    }

    /// <summary>Returns whether a test, with all rows of its data, has come to its end.</summary>
    public bool HasEnded(TestCase test)
    {
        lock (_lock)
        {
            return _endedCases.Contains(test);
        }
    }

    /// <summary>Notes that the process gets the signal to stop, whatever the reason, as soon as this returns.</summary>
    public void OnStop()
    {
        Events.ReadTo(this);
        lock (_lock)
        {
            IsStopped = true;
        }
    }

    /// <summary>Takes an event of the host.</summary>
    public void On(HostEvent happening)
    {
        lock (_lock)
        {
            TestCase? test = happening.Case is string id ? _tests.GetValueOrDefault(id) : null;
            if ((StopReason is not null || IsStopped) && !CountsAfterStop(happening, test))
            {
                return;
            }

            FirstEvent = FirstEvent == default ? happening.Moment : FirstEvent;
            LastEvent = happening.Moment;
            _lastSeen = Stopwatch.GetTimestamp();
            _lastMark = Math.Max(_lastMark, happening.Position.Mark ?? 0);
            if (happening.Outcome is string outcome)
            {
                _outcomes.Add(outcome);
            }

            switch (happening.Event)
            {
                case EventNames.Ready:
                    _isReady = true;
                    break;
                case EventNames.CollectionStarted:
                    _hasCollectionBegun = true;
                    break;
                case EventNames.Started when test is not null:
                    _running[Key(happening)] = new RunningTest(test, happening.Test!, LastPosition, _lastSeen);
                    break;
                case EventNames.Ended when test is not null:
                    _running.Remove(Key(happening), out RunningTest? started);
                    _ended.Add(new EndedTest(test, happening.Test!, started?.Start ?? happening.Position, happening));
                    break;
                case EventNames.CaseEnded when test is not null:
                    _endedCases.Add(test);

                    // MSTest reports the beginning of folded rows by the name of their method.
                    foreach ((string Case, string Test) row in _running.Keys.Where(row => row.Case == test.Id).ToList())
                    {
                        _running.Remove(row);
                    }

                    break;
                case EventNames.Left or EventNames.Unclear when happening.Process is not null:
                    _left.Add(LeftProcess.Of(happening, Owners(happening)));
                    break;
                case EventNames.Error:
                    _errors.Add(happening);
                    break;
                case EventNames.HostError:
                    HostError = happening.Message;
                    break;
                case EventNames.RunEnded:
                    // xunit v3 does not report the end of a case that stands for an error, as of a theory without data.
                    _endedCases.UnionWith(
                        _ended.Select(one => one.Case).Except(_running.Values.Select(one => one.Case)));
                    HasRunEnded = true;
                    break;
                default:
                    break;
            }
        }
    }

    /// <summary>
    /// Notes that the process did not come to the end of its run. If nothing ran, a test whose rows have ended, and
    /// which itself has not, did: its data may have come to its end, or its next row have been on its way.
    /// </summary>
    public void OnBrokenEnd()
    {
        lock (_lock)
        {
            foreach (EndedTest last in _running.Count > 0 ? [] : _ended
                .Where(one => !_endedCases.Contains(one.Case)).GroupBy(one => one.Case).Select(rows => rows.Last())
                .ToArray())
            {
                _running[Key(last.End)] =
                    new RunningTest(last.Case, last.Case.DisplayName, last.End.Position, _lastSeen);
            }
        }
    }

    /// <summary>
    /// Notes that the process has died. If the last test has rows of its own, further ones may have been on their way:
    /// nothing says that it had ended.
    /// </summary>
    public void OnDeath()
    {
        lock (_lock)
        {
            if (_ended is [.., EndedTest last] && last.Name != last.Case.DisplayName)
            {
                _endedCases.Remove(last.Case);
                _running[Key(last.End)] = new RunningTest(last.Case, last.Case.DisplayName, last.Start, _lastSeen);
            }
        }
    }

    /// <summary>
    /// Returns whether an event after the stop has a meaning. The stop may be what makes a test fail, or what ends the
    /// run. Of a process that takes too long, only a late report of a test that did not run then has one.
    /// </summary>
    private bool CountsAfterStop(HostEvent happening, TestCase? test)
    {
        bool canEnd = StopReason is null
            || (Unit.Assembly.Host.ReportsLate && !_running.Values.Any(one => one.Case == test));
        switch (happening.Event)
        {
            case EventNames.Left or EventNames.Unclear:
                return true;
            case EventNames.Ended when test is not null:
                bool counts = canEnd && happening.Outcome is (OutcomeNames.Passed or OutcomeNames.Skipped);
                if (!counts)
                {
                    _lost.Add(test);
                }

                return counts;
            case EventNames.CaseEnded when test is not null:
                return canEnd && !_lost.Contains(test);
            default:
                return false;
        }
    }

    private IReadOnlyList<TestCase> Owners(HostEvent happening) =>
        [.. (happening.Owners ?? "").Split(' ').Select(id => _tests.GetValueOrDefault(id)).OfType<TestCase>()];

    private static (string Case, string Test) Key(HostEvent happening) => (happening.Case!, happening.Test!);
}
