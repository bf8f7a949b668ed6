using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Delivery;

/// <summary>Verifies the waiting reader of live lines without a child.</summary>
public sealed class LineWaiterTests
{
    private const int Rounds = 20_000;

    // A token that lives long would keep every reader, with the output of its child.
    [Fact]
    public void RegistrationThatIsKeptWhileTheWaitEnds_IsGivenBack() => Guard.Run(() =>
    {
        int kept = 0;
        using Barrier both = new(2);
        LineWaiter<int>? waiter = null;
        TaskCompletionSource<int>? end = null;
        Thread ending = new(() =>
        {
            for (int round = 0; round < Rounds; round++)
            {
                both.SignalAndWait();
                end!.SetResult(1);
                both.SignalAndWait();
            }
        });
        ending.Start();
        for (int round = 0; round < Rounds; round++)
        {
            using CancellationTokenSource source = new();
            waiter = new LineWaiter<int>(() => null);
            end = new TaskCompletionSource<int>();
            waiter.Follow(end.Task);
            CancellationTokenRegistration registration = source.Token.UnsafeRegister(_ => kept++, null);
            both.SignalAndWait();
            waiter.Keep(registration);
            both.SignalAndWait();
            waiter.Task.IsCompletedSuccessfully.Should().BeTrue();
            source.Cancel();
        }

        ending.Join();
        kept.Should().Be(0);
    });
}
