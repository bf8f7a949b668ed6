using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Portable;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Input;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Backends.Portable;

/// <summary>Verifies the reader of an output pipe against a pipe that the test holds up.</summary>
public sealed class BlockingReaderTests : IDisposable
{
    private const int BufferSize = 32 * 1024;
    private const int LargestPipe = 1024 * 1024;

    private readonly PortableBackend _backend = PortableBackend.Open(default);
    private readonly HeldPipe _pipe = new();
    private readonly CountingSink _sink = new();
    private readonly PortableChild _child;
    private readonly BlockingReader _reader;
    private readonly Thread _thread;

    public BlockingReaderTests()
    {
        _child = (PortableChild)_backend.Create(TestPrograms.Quick(), null, default);
        Witness witness = new();
        lock (_child.Gate)
        {
            _child.Watch(witness, witness);
        }

        _reader = new BlockingReader(_child, _pipe, _sink);
        _thread = new Thread(_reader.Run) { IsBackground = true };
        _thread.Start();
        _pipe.AwaitRead();
    }

    private bool IsDrained
    {
        get
        {
            lock (_child.Gate)
            {
                return _reader.DrainedAt == long.MinValue;
            }
        }
    }

    public void Dispose()
    {
        // The reader disposes of the pipe at its end.
        _pipe.Give(0);
        lock (_child.Gate)
        {
            _reader.Stop();
            _child.Release();
        }

        bool hasEnded = _thread.Join(TimeSpan.FromMinutes(1));
        _backend.Dispose();
        _pipe.Dispose();
        hasEnded.Should().BeTrue("a reader that is stopped ends, even one that waits for its sink");
    }

    // The read that began before the exit tells nothing about what the child wrote after it, and a full buffer does not
    // either.
    [Fact]
    public void Pipe_IsEmpty_OnceALaterReadDoesNotFillTheBuffer() => Guard.Run(() =>
    {
        Drain();
        GiveAndAwaitRead(1);
        IsDrained.Should().BeFalse("the read began before the exit");
        GiveAndAwaitRead(BufferSize);
        IsDrained.Should().BeFalse("there may be more");
        GiveAndAwaitRead(1);
        IsDrained.Should().BeTrue();
        _sink.Bytes.Should().Be(BufferSize + 2);
    });

    // Another process may go on writing. The child itself has left a pipeful, and what the reader holds.
    [Fact]
    public void FullSink_TakesAPipeful_AndThenHoldsTheReaderUp() => Guard.Run(() =>
    {
        _sink.IsFullNow = true;
        _pipe.Give(BufferSize);
        Eventually.Is(() => IsHeldUp, "the sink is full");
        Drain();
        for (int read = BufferSize; read < LargestPipe; read += BufferSize)
        {
            _pipe.AwaitRead();
            IsDrained.Should().BeFalse();
            _pipe.Give(BufferSize);
        }

        _pipe.AwaitRead();
        GiveAndAwaitRead(BufferSize);
        IsDrained.Should().BeTrue();
        _pipe.Give(BufferSize);
        Eventually.Is(() => IsHeldUp, "the sink is full again");
        _sink.Bytes.Should().Be(LargestPipe + BufferSize);
    });

    private bool IsHeldUp
    {
        get
        {
            lock (_child.Gate)
            {
                return _reader.IsHeldUp;
            }
        }
    }

    private void Drain()
    {
        lock (_child.Gate)
        {
            _reader.Drain();
        }
    }

    private void GiveAndAwaitRead(int count)
    {
        _pipe.Give(count);
        _pipe.AwaitRead();
    }

    /// <summary>Represents a pipe whose reads return when the test says so.</summary>
    private sealed class HeldPipe : MemoryStream
    {
        private readonly SemaphoreSlim _reads = new(0);
        private readonly BlockingCollection<int> _counts = [];

        public override int Read(Span<byte> buffer)
        {
            _reads.Release();
            return _counts.Take();
        }

        public void Give(int count) => _counts.Add(count);

        /// <summary>Waits until the reader reads: it has passed on what it read before.</summary>
        public void AwaitRead() => _reads.Wait(TimeSpan.FromMinutes(1)).Should().BeTrue("the reader goes on");

        protected override void Dispose(bool disposing)
        {
            base.Dispose(disposing);
            if (disposing)
            {
                _reads.Dispose();
                _counts.Dispose();
            }
        }
    }

    private sealed class CountingSink : OutputSink
    {
        public int Bytes { get; private set; }

        public bool IsFullNow { get; set; }

        public override Span<byte> GetRoom() => default;

        public override bool IsFull => IsFullNow;

        public override void Commit(int count) => Bytes += count;

        public override void Append(ReadOnlySpan<byte> bytes) => Bytes += bytes.Length;
    }

    private sealed class Witness : ChildStreams, IChildEvents
    {
        public override InputFeed Input { get; } = new MemoryFeed(default);

        public override OutputSink Output => NoSink.Instance;

        public override OutputSink Error => NoSink.Instance;

        public override OutputSink Channel(int number) => NoSink.Instance;

        public void OnExit(ExitStatus status)
        {
        }

        public void OnDeadline(long now)
        {
        }

        public void OnOutput()
        {
        }

        public void OnEndOfOutput()
        {
        }

        public void OnReleased()
        {
        }

        public void OnOutOfMemory(OutOfMemoryException exception)
        {
        }

        public void OnSurvey(IReadOnlyList<Descendant> descendants, bool isLast)
        {
        }

        public void OnStopNotSent(Descendant descendant)
        {
        }
    }
}
