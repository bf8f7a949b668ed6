using System;
using System.Buffers;
using System.Threading;
using ProcessRunner.Backends;

namespace ProcessRunner.Tests.Simulation;

/// <summary>
/// Represents the receiver of one stream of one run, and knows which bytes must arrive there. Every byte arrives once,
/// in order, up to the limits in force.
/// </summary>
internal sealed class StreamWitness
{
    private readonly World _world;
    private readonly SimulatedRun _run;
    private readonly int _stream;
    private readonly int _throwsAt;
    private int _slowCalls;
    private long _received;
    private long _limit = long.MaxValue;
    private long _tail;

    public StreamWitness(World world, SimulatedRun run, ChildOutput stream)
    {
        _world = world;
        _run = run;
        _stream = (3 * run.Number) + (stream == ChildOutput.Output ? 1 : 2);
        _throwsAt = world.Dice.Percent(10) ? world.Dice.Between(1, 2000) : int.MaxValue;
        _slowCalls = world.Dice.Percent(15) ? world.Dice.Between(1, 6) : 0;
        Target = run.MayBeLive && world.Dice.Percent(8) ? Live() : Choose(world.Dice, stream);
    }

    public OutputTarget Target { get; }

    /// <summary>Gets whether the run calls the user with the bytes.</summary>
    public bool IsCalled { get; private set; }

    /// <summary>Gets whether the callback has thrown.</summary>
    public bool HasThrown { get; private set; }

    /// <summary>Gets whether the callback has thrown while its run still went on.</summary>
    public bool HasThrownInTime { get; private set; }

    /// <summary>Gets the number of bytes above which the stream stops the run.</summary>
    public long StopLimit { get; private set; } = long.MaxValue;

    /// <summary>Gets whether the user reads the lines while the child runs.</summary>
    public bool IsLive => Target.IsLive;

    /// <summary>Checks what the result keeps and what the callback got.</summary>
    /// <param name="captured">The kept part.</param>
    /// <param name="pipe">The pipe of the stream, or null if there was none.</param>
    /// <param name="mayBeCut">Whether the run was over before its receivers had everything, or they failed.</param>
    public void Check(CapturedOutput captured, SimulatedPipe? pipe, bool mayBeCut)
    {
        long taken = pipe?.Taken ?? 0;
        long total = captured.TotalBytes;
        World.Require(total == taken, $"The result counts every byte once: {total} of {taken}.");
        if (IsCalled)
        {
            World.Require(_received <= taken, $"The callback gets each byte once: {_received} of {taken}.");
            World.Require(mayBeCut || _received == taken, $"The callback gets every byte: {_received} of {taken}.");
        }

        if (_limit == 0 || pipe is null)
        {
            World.Require(captured.Kept == 0, "Nothing is kept of a stream that is not captured.");
            return;
        }

        long kept = Math.Min(taken, _limit + _tail);
        bool isRight = mayBeCut ? captured.Kept <= kept : captured.Kept == kept;
        World.Require(isRight, $"As much is kept as the limit allows: {captured.Kept} of {kept}.");
        Compare(captured.Bytes, taken);
    }

    /// <summary>Takes the next line, which the callback or the reader of live lines got.</summary>
    public void Take(OutputLine line)
    {
        ReadOnlySpan<byte> expected = Content.At(_stream, _received, line.Content.Length + 1);
        for (int i = 0; i < line.Content.Length; i++)
        {
            bool isNext = line.Content[i] == expected[i];
            World.Require(isNext, $"The callback gets the next line: another one at {_received + i}.");
        }

        // The last line of a stream may have no end.
        _received += line.Content.Length;
        if (_received < (_run.PipeOf(_stream)?.Taken ?? 0))
        {
            World.Require(expected[^1] == '\n', $"A line ends at its end: not at {_received}.");
            _received++;
        }
    }

    /// <summary>Checks that a reader who has not left has got all lines.</summary>
    public void CheckLines(SimulatedPipe? pipe)
    {
        long taken = pipe?.Taken ?? 0;
        bool hasAll = !IsLive || _received == taken;
        World.Require(hasAll, $"The reader of live lines loses nothing: {_received} of {taken}.");
    }

    private void Compare(ReadOnlySequence<byte> bytes, long taken)
    {
        long head = Math.Min(bytes.Length, _limit);
        RequireBytes(bytes.Slice(0, head), 0);
        RequireBytes(bytes.Slice(head), taken - (bytes.Length - head));
    }

    private void RequireBytes(ReadOnlySequence<byte> bytes, long place)
    {
        foreach (ReadOnlyMemory<byte> segment in bytes)
        {
            World.Require(
                segment.Span.SequenceEqual(Content.At(_stream, place, segment.Length)),
                $"The kept bytes are those of the stream: others after byte {place}.");
            place += segment.Length;
        }
    }

    private OutputTarget Choose(Dice dice, ChildOutput stream)
    {
        int limit = dice.OneOf(0, 10, 1000, 100_000);
        switch (dice.Below(16))
        {
            case 0:
                _limit = 0;
                return OutputTarget.Null;

            case 1 or 2:
                return Called(OutputTarget.ToBytes(OnBytes));

            case 3 or 4:
                return Called(OutputTarget.ToLines(OnLine));

            case 5:
                OutputTarget tee = OutputTarget.Tee(OutputTarget.Capture(), OutputTarget.ToBytes(OnBytes));
                Called(tee);
                _limit = long.MaxValue;
                return tee;

            case 6:
                _limit = limit;
                return OutputTarget.Capture(limit, CapturePolicy.KeepHead);

            case 7:
                _tail = limit / 2;
                _limit = limit - _tail;
                return OutputTarget.Capture(limit, CapturePolicy.KeepHeadAndTail);

            case 8:
                _limit = StopLimit = limit;
                return OutputTarget.Capture(limit, CapturePolicy.Fail);

            case 9:
                return OutputTarget.Capture(limit, CapturePolicy.SpillToFile);

            case 10 when stream == ChildOutput.Error:
                _limit = 0;
                return OutputTarget.MergeIntoOutput;

            default:
                return OutputTarget.Capture();
        }
    }

    private OutputTarget Live()
    {
        _limit = 0;
        return OutputTarget.Live();
    }

    private OutputTarget Called(OutputTarget target)
    {
        IsCalled = true;
        _limit = 0;
        return target;
    }

    private void OnBytes(ReadOnlySpan<byte> bytes)
    {
        Enter();
        bool isNext = bytes.SequenceEqual(Content.At(_stream, _received, bytes.Length));
        World.Require(isNext, $"The callback gets the next bytes: others at {_received}.");
        _received += bytes.Length;
        TakeTime();
        Leave();
    }

    private void OnLine(OutputLine line)
    {
        Enter();
        Take(line);
        TakeTime();
        Leave();
    }

    private void Enter()
    {
        World.Require(!Monitor.IsEntered(_run.Child), "User code runs without a lock.");
        World.Require(!_world.IsOnReactor, "User code runs on no reactor.");
        World.Require(!_run.HasEnded, "No callback comes once its run is over.");
        World.Require(!HasThrown, "No callback comes after a callback that threw.");
        _run.BeginCall();
    }

    private void Leave()
    {
        _run.EndCall();
        if (_received >= _throwsAt)
        {
            HasThrown = true;
            HasThrownInTime = !_run.HasEnded;
            throw new NotFiniteNumberException();
        }
    }

    private void TakeTime()
    {
        if (_slowCalls > 0 && _world.MayWait)
        {
            _slowCalls--;
            _world.Wait(_world.Now + _world.Dice.Ticks(), () => false);
        }
        else
        {
            _world.Interleave(1);
        }
    }
}
