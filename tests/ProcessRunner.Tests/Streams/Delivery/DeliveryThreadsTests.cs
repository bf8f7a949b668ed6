using System.Collections.Generic;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends.Portable;
using ProcessRunner.Faults;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Delivery;

/// <summary>Verifies the queue of the delivery threads while the system has no further thread.</summary>
[Collection(Alone.Name)]
public sealed class DeliveryThreadsTests
{
    private const int Unavailable = 11;

    [Fact]
    public void Jobs_ThatWaitForAThread_KeepTheirOrder_WhileTheOthersAreRefused() => Guard.Run(() =>
    {
        using PortableBackend backend = PortableBackend.Open(default);
        using DeliveryThreads threads = new(backend);
        using ManualResetEventSlim isBlocked = new();
        using ManualResetEventSlim mayGoOn = new();
        using ManualResetEventSlim isOver = new();
        using CountdownEvent refusals = new(2);
        List<string> ran = [];
        List<string> refused = [];
        DeliveryJob Waiting(string name) => new(() => ran.Add(name));
        DeliveryJob Impatient(string name) => new(() => ran.Add(name), onRefused: () =>
        {
            refused.Add(name);
            refusals.Signal();
        });

        // From here on there is one thread.
        FaultPoint.Decide = call => call == "thread" ? Unavailable : 0;
        try
        {
            threads.Post(new DeliveryJob(() =>
            {
                isBlocked.Set();
                mayGoOn.Wait();
            }));
            isBlocked.Wait();
            PostAll(threads, Impatient("1"), Waiting("2"), Waiting("3"), Impatient("4"));
            refusals.Wait();
            refusals.Reset(1);
            PostAll(threads, Waiting("5"), Impatient("6"), Waiting("7"));
            refusals.Wait();
            threads.Post(new DeliveryJob(isOver.Set));
            mayGoOn.Set();
            isOver.Wait();
        }
        finally
        {
            FaultPoint.Decide = null;
            mayGoOn.Set();
        }

        refused.Should().Equal("1", "4", "6");
        ran.Should().Equal("2", "3", "5", "7");
    });

    // The timer asks for a thread each time it expires. Here a job ends and the next one begins whenever it does.
    [Fact]
    public void JobThatIsNotToWait_IsNotRefused_WhileTheThreadTakesOthers() => Guard.Run(() =>
    {
        const int Others = 6;
        using PortableBackend backend = PortableBackend.Open(default);
        using DeliveryThreads threads = new(backend);
        using SemaphoreSlim mayEnd = new(0);
        using SemaphoreSlim hasBegun = new(0);
        using ManualResetEventSlim isOver = new();
        int expiries = 0;
        bool isRefused = false;
        FaultPoint.Decide = call =>
        {
            bool isTimer = call == "thread" && Thread.CurrentThread.Name == "ProcessRunner timers";
            if (isTimer && ++expiries <= Others)
            {
                mayEnd.Release();
                hasBegun.Wait();
            }

            return call == "thread" ? Unavailable : 0;
        };
        try
        {
            for (int i = 0; i < Others; i++)
            {
                threads.Post(new DeliveryJob(() =>
                {
                    hasBegun.Release();
                    mayEnd.Wait();
                }));
                if (i == 0)
                {
                    hasBegun.Wait();
                }
            }

            void End(bool refused)
            {
                isRefused = refused;
                hasBegun.Release();
                isOver.Set();
            }

            threads.Post(new DeliveryJob(() => End(refused: false), onRefused: () => End(refused: true)));
            isOver.Wait();
        }
        finally
        {
            FaultPoint.Decide = null;
            mayEnd.Release(Others);
        }

        isRefused.Should().BeFalse();
    });

    private static void PostAll(DeliveryThreads threads, params DeliveryJob[] jobs)
    {
        foreach (DeliveryJob job in jobs)
        {
            threads.Post(job);
        }
    }
}
