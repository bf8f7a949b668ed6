using System.Collections.Generic;
using System.Linq;
using System.Runtime.ExceptionServices;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Streams;

/// <summary>
/// Represents the sinks of a child's channels. Has the members of <see cref="StreamSink"/>, each for all of them.
/// Guarded by the child's gate.
/// </summary>
internal sealed class ChannelSinks
{
    private readonly Entry[] _entries;

    public ChannelSinks(RunStreams run) => _entries =
    [
        .. run.Command.Extras.Channels.Select(channel => new Entry(
            (ChildOutput)channel.Key, channel.Value.CreateSink(run, (ChildOutput)channel.Key))),
    ];

    public bool AreDelivered => _entries.All(static entry => entry.Sink.IsDelivered);

    public ExceptionDispatchInfo? Failure =>
        _entries.Select(static entry => entry.Sink.Failure).FirstOrDefault(static failure => failure is not null);

    public long Deadline => _entries.Select(static entry => entry.Sink.Deadline).Append(MonotonicClock.Never).Min();

    /// <summary>Returns the sink of a channel.</summary>
    public StreamSink Of(int number) => _entries.First(entry => (int)entry.Stream == number).Sink;

    /// <summary>Returns whether some process still holds the writing end of a channel.</summary>
    public bool AreOpen(BackendChild child) => _entries.Any(entry => child.IsOpen(entry.Stream));

    public void OnDeadline(long now)
    {
        foreach (Entry entry in _entries)
        {
            entry.Sink.OnDeadline(now);
        }
    }

    /// <summary>Informs the receivers of closed channels that no more bytes come.</summary>
    public void EndClosed(BackendChild child)
    {
        foreach (Entry entry in _entries)
        {
            if (!child.IsOpen(entry.Stream))
            {
                entry.Sink.End();
            }
        }
    }

    /// <summary>Reads no further.</summary>
    public void StopReading(BackendChild child)
    {
        foreach (Entry entry in _entries)
        {
            entry.IsHeldOpen = child.IsOpen(entry.Stream);
            child.StopReading(entry.Stream);
        }
    }

    public void LetGo()
    {
        foreach (Entry entry in _entries)
        {
            entry.Sink.LetGo();
        }
    }

    public void Abandon()
    {
        foreach (Entry entry in _entries)
        {
            entry.Sink.Abandon();
        }
    }

    /// <summary>Returns the kept parts of the channels.</summary>
    public IReadOnlyDictionary<int, CapturedOutput> Captured(ProcessCommand command) =>
        new ValueMap<int, CapturedOutput>(_entries.Select(entry => KeyValuePair.Create(
            (int)entry.Stream, entry.Sink.Captured(command.DecodingOf(entry.Stream), entry.IsHeldOpen))));

    private sealed class Entry(ChildOutput stream, StreamSink sink)
    {
        public ChildOutput Stream => stream;

        public StreamSink Sink => sink;

        public bool IsHeldOpen { get; set; }
    }
}
