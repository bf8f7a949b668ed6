using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Delivery;

/// <summary>Verifies that a child goes on after its live lines have ended because they cannot be decoded.</summary>
public sealed class UndecodableLineTests
{
    private static readonly byte[] s_notUtf8 = [0xFF, (byte)'\n'];

    [Theory]
    [InlineData("lines")]
    [InlineData("lines async")]
    [InlineData("events async")]
    public void Enumeration_ThatFails_StopsNoChild(string kind) => Guard.Run(() =>
    {
        using ManualResetEventSlim hasFailed = new();
        using ProcessEngine engine = ProcessEngine.Simulate(
            _ => new SimulatedRun().Write(s_notUtf8).Do(_ => hasFailed.Wait()).Exit(3));
        ProcessCommand command = new("any") { StandardOutput = OutputTarget.Live(), StrictDecoding = true };
        using ChildProcess child = command.Start(engine);
        FluentActions.Invoking(() => ReadAsync(child, kind).GetAwaiter().GetResult())
            .Should().Throw<OutputDecodingException>();
        hasFailed.Set();
        ProcessResult result = child.Wait();
        result.StoppedBy.Should().Be(StopCause.None);
        result.ExitCode.Should().Be(3);
    });

    private static async Task ReadAsync(ChildProcess child, string kind)
    {
        if (kind == "lines")
        {
            foreach (OutputLine _ in child.ReadLines())
            {
            }
        }
        else if (kind == "lines async")
        {
            await foreach (OutputLine _ in child.ReadLinesAsync())
            {
            }
        }
        else
        {
            await foreach (ChildEvent _ in child.ReadEventsAsync())
            {
            }
        }
    }
}
