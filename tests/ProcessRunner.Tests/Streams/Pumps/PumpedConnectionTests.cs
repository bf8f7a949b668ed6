using System;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Streams.Input;
using ProcessRunner.Streams.Pumps;
using ProcessRunner.Tests.Backends;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Pumps;

/// <summary>Verifies a pumped connection whose writing side comes first.</summary>
[Collection(Alone.Name)]
public sealed class PumpedConnectionTests : IDisposable
{
    private readonly PumpedConnection _connection = new();
    private readonly QueueFeed _reader = new(new DeafChild());

    public void Dispose() => _connection.Dispose();

    [Fact]
    public void Write_WaitsForTheReader() => Guard.Run(() =>
    {
        WriteUntil(() => _connection.Attach(_reader)).Should().BeTrue();
        _reader.Pending.ToArray().Should().Equal(1, 2, 3);
        _connection.Complete();
        _reader.IsComplete.Should().BeTrue();
    });

    [Fact]
    public void Write_ForAReaderThatWillNeverBe_Fails() => Guard.Run(() =>
    {
        WriteUntil(_connection.Dispose).Should().BeFalse();
        _connection.Complete();
    });

    [Fact]
    public void Write_ThatIsCutOff_Fails() => Guard.Run(() =>
    {
        WriteUntil(_connection.CutOff).Should().BeFalse();
        _connection.Complete();
    });

    // It would wait for the end of its input forever.
    [Fact]
    public void Reader_OfAConnectionThatIsCutOff_SeesTheEnd()
    {
        _connection.CutOff();
        _connection.Attach(_reader);
        _reader.IsComplete.Should().BeTrue();
    }

    // The second stage is announced to the user, who takes longer than the first stage may.
    [Fact]
    public void Stage_ThatStartsAfterTheFirstWasGivenUp_SeesTheEnd() => Guard.Run(() =>
    {
        ProcessEngine? engine = null;
        int traced = 0;
        using ProcessEngine portable = engine = new(new ProcessEngineOptions
        {
            Backend = EngineBackend.Portable,
            Trace = _ =>
            {
                if (++traced == 2)
                {
                    Eventually.Is(() => engine!.LiveChildren == 0, "the first stage is given up");
                }
            },
        });
        ProcessCommand writer = TestPrograms.Quick("yes") with { Timeout = TimeSpan.FromMilliseconds(200) };
        PipelineResult result = writer.PipeTo(TestPrograms.Quick("stdin")).Run(portable);
        result.Stages[0].Outcome.Should().Be(ProcessOutcome.TimedOut);
        result.Stages[1].ExitCode.Should().Be(0);
    });

    // The result of a write that waits when the given action comes.
    private bool WriteUntil(Action action)
    {
        bool? isRead = null;
        Thread writer = new(() => isRead = _connection.Write([1, 2, 3]));
        writer.Start();
        Eventually.Is(
            () => (writer.ThreadState & ThreadState.WaitSleepJoin) != 0 || isRead is not null, "the writer waits");
        isRead.Should().BeNull();
        action();
        writer.Join(TimeSpan.FromMinutes(1)).Should().BeTrue("the wait is over");
        return isRead!.Value;
    }

    private sealed class DeafChild : ShellChild
    {
        public override void ResumeInput()
        {
        }
    }
}
