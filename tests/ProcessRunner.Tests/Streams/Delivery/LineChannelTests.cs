using System;
using FluentAssertions;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Delivery;

/// <summary>Verifies the channel of live lines without a child.</summary>
public sealed class LineChannelTests
{
    // The maximum number of characters has passed through the channel several times over, and as many still fit.
    [Fact]
    public void Room_ForCharacters_ComesBackWithTheLinesThatAreRead() => Guard.Run(() =>
    {
        LineChannel lines = new();
        lines.AddWriter();
        OutputLine line = new(new string('x', 10_000), IsError: false, DateTimeOffset.UnixEpoch);
        for (int round = 0; round < 10; round++)
        {
            for (int i = 0; i < 13; i++)
            {
                lines.Write(line);
            }

            lines.Count.Should().Be(13);
            while (lines.TryRead(out _))
            {
            }
        }
    });
}
