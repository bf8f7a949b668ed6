using System;
using FluentAssertions;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Support;

/// <summary>Looks at the processor time of all reactors.</summary>
internal static class ReactorRest
{
    private const int Measurements = 3;
    private const int Milliseconds = 500;

    /// <summary>
    /// Verifies that they sleep while nothing happens. A compilation, or a machine that is taken away, costs time once;
    /// a reactor that spins takes it all each time.
    /// </summary>
    public static void ShouldSleep()
    {
        TimeSpan limit = TimeSpan.FromMilliseconds(Milliseconds * 0.3);
        TimeSpan least = TimeSpan.MaxValue;
        for (int i = 0; i < Measurements && least >= limit; i++)
        {
            TimeSpan time = TimeOfAWhile();
            least = time < least ? time : least;
        }

        least.Should().BeLessThan(limit);
    }

    private static TimeSpan TimeOfAWhile()
    {
        TimeSpan before = ProcFs.ReactorTime;
        long started = Environment.TickCount64;
        Eventually.Is(() => Environment.TickCount64 - started > Milliseconds, "a while has passed");
        return ProcFs.ReactorTime - before;
    }
}
