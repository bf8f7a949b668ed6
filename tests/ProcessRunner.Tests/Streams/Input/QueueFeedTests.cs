using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Streams.Input;
using ProcessRunner.Tests.Backends;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Input;

/// <summary>Verifies feeds without a process: the test takes the bytes in the place of the backend.</summary>
public sealed class QueueFeedTests
{
    private const int Capacity = 64 * 1024;

    [Fact]
    public void Advance_AfterTheFeedWasCutOff_IsIgnored()
    {
        DeafChild child = new();
        QueueFeed feed = new(child);
        feed.Write(new byte[100]);
        int written = feed.Pending.Length;
        feed.CutOff();
        Advance(child, feed, written);
        ShouldBeOver(feed);
    }

    [Fact]
    public void Advance_OfInputFromMemory_AfterItWasAbandoned_IsIgnored()
    {
        MemoryFeed feed = new(new byte[100]);
        int written = feed.Pending.Length;
        feed.Abandon();
        feed.Advance(written);
        ShouldBeOver(feed);
    }

    // The child has read everything, and the writer that waits for room has not yet continued.
    [Fact]
    public void WriteAsync_BehindABlockedWriter_DoesNotOvertakeIt() => Guard.Run(() =>
    {
        DeafChild child = new();
        QueueFeed feed = new(child);
        Thread writer = BlockedWriter(child, feed, Capacity + 1);
        Task write;
        lock (child.Gate)
        {
            feed.Advance(Capacity);
            write = feed.WriteAsync(new byte[] { 2 }, CancellationToken.None);
        }

        writer.Join();
        write.GetAwaiter().GetResult();
        feed.Pending.ToArray().Should().Equal(0, 2);
    });

    [Fact]
    public void WriteAsync_BehindAnInterruptedWriter_IsNext() => Guard.Run(() =>
    {
        DeafChild child = new();
        QueueFeed feed = new(child);
        Thread writer = BlockedWriter(child, feed, 3 * Capacity);
        Task write = feed.WriteAsync(new byte[] { 2 }, CancellationToken.None);
        lock (child.Gate)
        {
            writer.Interrupt();
            feed.Advance(Capacity);
        }

        writer.Join();
        (write.IsCompleted || !feed.Pending.IsEmpty).Should().BeTrue("otherwise nothing completes the write");
    });

    [Fact]
    public void WriteAsync_AfterASmallWrite_HasTheWholeBuffer()
    {
        DeafChild child = new();
        QueueFeed feed = new(child);
        feed.Write(new byte[1]);
        Advance(child, feed, 1);
        feed.WriteAsync(new byte[Capacity], CancellationToken.None).IsCompleted.Should().BeTrue();
    }

    // A user has one token for all writes, and the writes are many.
    [Fact]
    public void WriteAsync_ThatIsOver_IsNotKeptByItsToken()
    {
        using CancellationTokenSource source = new();
        DeafChild child = new();
        QueueFeed feed = new(child);
        WeakReference bytes = WriteAndAdvance(child, feed, source.Token);
        GC.Collect();
        bytes.IsAlive.Should().BeFalse();
        GC.KeepAlive(feed);
        GC.KeepAlive(source);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference WriteAndAdvance(DeafChild child, QueueFeed feed, CancellationToken token)
    {
        byte[] bytes = new byte[Capacity + 1];
        Task write = feed.WriteAsync(bytes, token);
        write.IsCompleted.Should().BeFalse("it does not fit");
        Advance(child, feed, Capacity);
        write.IsCompletedSuccessfully.Should().BeTrue();
        return new WeakReference(bytes);
    }

    private static Thread BlockedWriter(DeafChild child, QueueFeed feed, int size)
    {
        Thread writer = new(() => Record.Exception(() => feed.Write(new byte[size])));
        writer.Start();
        Eventually.Is(() => PendingOf(child, feed) == Capacity, "the buffer is full, and the writer waits");
        return writer;
    }

    private static void Advance(DeafChild child, QueueFeed feed, int count)
    {
        lock (child.Gate)
        {
            feed.Advance(count);
        }
    }

    private static int PendingOf(DeafChild child, QueueFeed feed)
    {
        lock (child.Gate)
        {
            return feed.Pending.Length;
        }
    }

    private static void ShouldBeOver(StreamFeed feed) =>
        (feed.Pending.Length, feed.IsComplete).Should().Be((0, true));

    private sealed class DeafChild : ShellChild
    {
        public override void ResumeInput()
        {
        }
    }
}
