using System;
using System.Runtime.CompilerServices;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends.Portable;
using ProcessRunner.Faults;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Backends.Portable;

/// <summary>Verifies the threads of the portable backend without a process.</summary>
[Collection(Alone.Name)]
public sealed class WorkerThreadsTests : IDisposable
{
    private const int Unavailable = 11;

    private readonly WorkerThreads _workers = new();

    public void Dispose() => _workers.Dispose();

    [Fact]
    public void Reservation_ThatIsReturned_ServesTheNext() => Guard.Run(() =>
    {
        for (int i = 0; i < 3; i++)
        {
            // Threads that are not reserved end when they are idle.
            _workers.Reserve(2);
            _workers.Count.Should().Be(2);
            _workers.Unreserve(2);
        }
    });

    // A thread that was made for the job ended before the job came.
    [Fact]
    public void JobAfterTheEnd_Runs() => Guard.Run(() =>
    {
        for (int i = 0; i < 2_000; i++)
        {
            WorkerThreads workers = new();
            using ManualResetEventSlim hasRun = new();
            workers.Dispose();
            workers.TryRun(hasRun.Set).Should().BeTrue();
            hasRun.Wait();
        }
    });

    [Fact]
    public void ReservedThread_LivesBeyondTheEnd_UntilItsJobOrItsReturn() => Guard.Run(() =>
    {
        using ManualResetEventSlim hasRun = new();
        _workers.Reserve(2);
        _workers.Dispose();
        _workers.Run(hasRun.Set);
        hasRun.Wait();
        Eventually.Is(() => _workers.Count == 1, "the thread whose job is over has ended");
        _workers.Unreserve(1);
        Eventually.Is(() => _workers.Count == 0, "the other one has ended");
    });

    // A job counts until its thread is free for the next, a moment later than its end is seen.
    [Fact]
    public void Thread_WhoseJobIsOver_ServesTheNext() => Guard.Run(() =>
    {
        const int Jobs = 100;
        int runs = 0;
        for (int i = 0; i < Jobs; i++)
        {
            _workers.RunAndWait(() => runs++);
        }

        runs.Should().Be(Jobs);
        _workers.Count.Should().BeLessThan(Jobs);
    });

    // The thread of a child that runs must be there however long its start takes. The others end when they are idle.
    [Fact]
    public void ReservedThread_IsThereAfterAWhile() => Guard.Run(() =>
    {
        using ManualResetEventSlim hasRun = new();
        _workers.Reserve(3);
        _workers.Unreserve(2);
        Eventually.Is(() => _workers.Count < 3, "the threads have been idle for long");
        Eventually.Is(() => _workers.Count <= 1, "only the reserved thread is left");
        _workers.Count.Should().Be(1);
        _workers.Run(hasRun.Set);
        hasRun.Wait(TimeSpan.FromMinutes(1)).Should().BeTrue("the job runs");
    });

    [Fact]
    public void Threads_ThatTheSystemLacks_AreNotCounted() => Guard.Run(() =>
    {
        int asked = 0;
        FaultPoint.Decide = call => call == "thread" && ++asked == 2 ? Unavailable : 0;
        try
        {
            FluentActions.Invoking(() => _workers.Reserve(3)).Should().Throw<OutOfMemoryException>();
        }
        finally
        {
            FaultPoint.Decide = null;
        }

        _workers.Count.Should().Be(1);
        _workers.Reserve(1);
        _workers.Count.Should().Be(1, "nothing was reserved");
        _workers.Unreserve(1);
    });

    // A job knows a run with everything that it has captured. Another reservation keeps the thread from its end.
    [Fact]
    public void Job_ThatIsOver_IsCollectedWhileTheThreadWaits() => Guard.Run(() =>
    {
        _workers.Reserve(2);
        WeakReference state = RunOne();
        Eventually.Is(
            () =>
            {
                GC.Collect();
                return !state.IsAlive;
            },
            "the thread keeps nothing of the job");
        _workers.Unreserve(1);
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference RunOne()
    {
        object state = new();
        using ManualResetEventSlim hasRun = new();
        _workers.Run(() =>
        {
            GC.KeepAlive(state);
            hasRun.Set();
        });
        hasRun.Wait(TimeSpan.FromMinutes(1)).Should().BeTrue("the job runs");
        return new WeakReference(state);
    }
}
