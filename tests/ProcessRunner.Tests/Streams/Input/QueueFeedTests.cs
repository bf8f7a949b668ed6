using FluentAssertions;
using ProcessRunner.Streams.Input;
using ProcessRunner.Tests.Backends;
using Xunit;

namespace ProcessRunner.Tests.Streams.Input;

/// <summary>Verifies feeds whose backend writes without the child's gate.</summary>
public sealed class QueueFeedTests
{
    [Fact]
    public void Advance_AfterTheFeedWasCutOff_IsIgnored()
    {
        DeafChild child = new();
        QueueFeed feed = new(child);
        feed.Write(new byte[100]);
        int written = feed.Pending.Length;
        feed.CutOff();
        lock (child.Gate)
        {
            feed.Advance(written);
        }

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

    private static void ShouldBeOver(StreamFeed feed) =>
        (feed.Pending.Length, feed.IsComplete).Should().Be((0, true));

    private sealed class DeafChild : ShellChild
    {
        public override void ResumeInput()
        {
        }
    }
}
