using System;
using System.Linq;
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
    private static int Threads =>
        ProcFs.ThreadNames.Count(name => name.StartsWith("ProcessRunner t", StringComparison.Ordinal));

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
            later.Set(MonotonicClock.After(MonotonicClock.Now, TimeSpan.FromHours(1)));
        }

        for (int i = 0; i < 100; i++)
        {
            timer.Set(MonotonicClock.Now);
            expired.Wait(TimeSpan.FromMinutes(1)).Should().BeTrue($"the thread wakes in round {i}");
        }
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Dispose_OfTheEngine_EndsIt() => Guard.Run(() =>
    {
        int before = Threads;
        using (ProcessEngine engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable }))
        {
            TestPrograms.Quick().Run(engine).EnsureSuccess();
            Eventually.Is(() => Threads > before, "the thread has its name");
        }

        Eventually.Is(() => Threads <= before, "the thread has ended");
    });
}
