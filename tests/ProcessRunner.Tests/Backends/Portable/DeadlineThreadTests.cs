using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Portable;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Portable;

/// <summary>Verifies the thread that keeps the deadlines of the portable backend.</summary>
[Collection(Alone.Name)]
public sealed class DeadlineThreadTests
{
    // The kernel keeps 15 characters of a thread's name.
    private static IEnumerable<string> ThreadIds => ProcFs.Threads
        .Where(thread => thread.Name.StartsWith("ProcessRunner t", StringComparison.Ordinal))
        .Select(thread => thread.Id);

    // The thread is about to sleep in some rounds, and sleeps in others, with a later deadline or none.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Timer_SetAgainAndAgain_ExpiresEachTime(bool isBesideALaterOne) => Guard.Run(() =>
    {
        using DeadlineThread thread = new();
        using SemaphoreSlim expired = new(0);
        using KeptTimer later = new(thread, _ => { });
        using KeptTimer timer = new(thread, _ => expired.Release());
        if (isBesideALaterOne)
        {
            later.Set(MonotonicClock.In(TimeSpan.FromHours(1)));
        }

        for (int i = 0; i < 100; i++)
        {
            timer.Set(MonotonicClock.Now);
            expired.Wait(TimeSpan.FromMinutes(1)).Should().BeTrue($"the thread wakes in round {i}");
        }
    });

    // A timer knows a run with everything that it has captured.
    [Fact]
    public void Timer_ThatHasExpired_IsCollectedWhileTheThreadWaits() => Guard.Run(() =>
    {
        using DeadlineThread thread = new();
        WeakReference timer = ExpireOne(thread);
        Eventually.Is(
            () =>
            {
                GC.Collect();
                return !timer.IsAlive;
            },
            "the thread keeps nothing that it has handled");
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Dispose_OfTheEngine_EndsIt() => Guard.Run(() =>
    {
        // A thread of an earlier test may still be on its way out.
        string[] before = [.. ThreadIds];
        string[] own = [];
        using (ProcessEngine engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable }))
        {
            TestPrograms.Quick().Run(engine).EnsureSuccess();
            Eventually.Is(() => (own = [.. ThreadIds.Except(before)]).Length > 0, "the thread has its name");
        }

        Eventually.Is(() => !ThreadIds.Intersect(own).Any(), "the thread has ended");
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference ExpireOne(DeadlineThread thread)
    {
        using ManualResetEventSlim expired = new();
        using KeptTimer timer = new(thread, _ => expired.Set());
        timer.Set(MonotonicClock.Now);
        expired.Wait(TimeSpan.FromMinutes(1)).Should().BeTrue();
        return new WeakReference(timer);
    }
}
