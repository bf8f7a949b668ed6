using FluentAssertions;
using ProcessRunner.Streams;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Delivery;

/// <summary>
/// Verifies that the number of bytes on the way to a receiver is bounded. While the gate is held, nothing is taken from
/// it.
/// </summary>
public sealed class DeliverySinkTests
{
    [Fact]
    public void Sink_WhoseReceiverTakesNothing_IsFullAfterFourChunks() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("sleep", "1000000") with
        {
            StandardOutput = OutputTarget.ToLines(_ => { }),
        };
        using ChildProcess child = command.Start();
        lock (Internals.ChildOf(child))
        {
            StreamSink sink = (StreamSink)Internals.StreamsOf(child).Output;
            int chunks = 0;
            for (byte[] chunk = new byte[64 * 1024]; !sink.IsFull; chunks++)
            {
                sink.Append(chunk);
            }

            chunks.Should().Be(4);
        }
    });
}
