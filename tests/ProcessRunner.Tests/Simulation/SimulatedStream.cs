using System;
using ProcessRunner.Backends;

namespace ProcessRunner.Tests.Simulation;

/// <summary>
/// Represents our end of one of a child's output pipes, which a reactor watches. Guarded by the child's gate.
/// </summary>
internal sealed class SimulatedStream
{
    private readonly World _world;
    private readonly SimulatedPipe _pipe;
    private readonly OutputSink _sink;
    private readonly Happening _ready;
    private bool _isWatched;

    public SimulatedStream(World world, SimulatedPipe pipe, OutputSink sink, Happening ready)
    {
        _world = world;
        _pipe = pipe;
        _sink = sink;
        _ready = ready;
        pipe.Changed = Refresh;
    }

    public SimulatedPipe Pipe => _pipe;

    public bool IsOpen { get; private set; } = true;

    public bool HasUnread => IsOpen && _pipe.Unread > 0;

    public void Watch()
    {
        _isWatched = true;
        Refresh();
    }

    /// <summary>Handles the readiness of the pipe as a reactor does.</summary>
    public void Handle(IChildEvents events)
    {
        if (!IsOpen || !_isWatched)
        {
            return;
        }

        if (_sink.ReadsItself)
        {
            _isWatched = false;
            _sink.OnReadable();
        }
        else if (Read() > 0)
        {
            if (_sink.IsFull)
            {
                _isWatched = false;
            }

            events.OnOutput();
        }
        else if (!IsOpen)
        {
            events.OnEndOfOutput();
        }

        Refresh();
    }

    /// <summary>Reads for a sink that reads by itself.</summary>
    public int Read(Span<byte> room, out bool hasEnded)
    {
        int count = IsOpen ? _pipe.Read(room[..Math.Min(room.Length, Portion())]) : 0;
        hasEnded = !IsOpen || (count == 0 && _pipe.Writers == 0);
        return count;
    }

    /// <summary>Reads all that the pipe holds, and closes it at its end.</summary>
    public void Drain()
    {
        while (IsOpen && Read() > 0)
        {
        }
    }

    public void Close()
    {
        if (IsOpen)
        {
            IsOpen = false;
            _pipe.Changed = null;
            _pipe.CloseReader();
            _world.Cancel(_ready);
        }
    }

    // One read fills the room of the sink, and then a buffer whose bytes the sink copies.
    private int Read()
    {
        Span<byte> room = _sink.GetRoom();
        int portion = Math.Min(Portion(), _pipe.Unread);
        int direct = _pipe.Read(room[..Math.Min(room.Length, portion)]);
        if (portion > 0)
        {
            _sink.Commit(direct);
            _sink.Append(Content.At(_pipe.Stream, _pipe.Taken, portion - direct));
            _pipe.Skip(portion - direct);
        }
        else if (_pipe.Writers == 0)
        {
            Close();
        }

        return portion;
    }

    // The number of bytes that one read finds at most: now and then few of those that are there.
    private int Portion() => _world.Dice.Below(4) == 0 ? _world.Dice.Between(1, 100) : int.MaxValue;

    private void Refresh()
    {
        if (IsOpen && _isWatched && (_pipe.Unread > 0 || _pipe.Writers == 0))
        {
            _world.Arm(_ready, _world.Now);
        }
        else
        {
            _world.Cancel(_ready);
        }
    }
}
