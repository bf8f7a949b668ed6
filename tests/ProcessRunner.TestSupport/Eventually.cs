using System;
using System.Diagnostics;
using System.Threading;

namespace ProcessRunner.TestSupport;

/// <summary>
/// Waits for an effect of another process that sends no event. The last look comes after the limit: nobody has looked
/// while the machine stood still for as long. The limit leaves the guard of the test the time to clean up, and is no
/// verdict on the speed of a busy machine.
/// </summary>
public static class Eventually
{
    private static readonly TimeSpan s_limit = Guard.Limit / 3;

    public static void Is(Func<bool> condition, string because)
    {
        Stopwatch watch = Stopwatch.StartNew();
        bool isLast = false;
        while (!condition())
        {
            if (isLast)
            {
                throw new TimeoutException($"It did not come true: {because}");
            }

            isLast = watch.Elapsed > s_limit;
            Thread.Sleep(5);
        }
    }
}
