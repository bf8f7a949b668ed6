using System;
using System.Diagnostics;
using System.Threading;

namespace ProcessRunner.TestSupport;

/// <summary>
/// Waits for an effect of another process that sends no event. The last look comes after the limit: nobody has looked
/// while the machine stood still for as long.
/// </summary>
public static class Eventually
{
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

            isLast = watch.Elapsed > TimeSpan.FromSeconds(60);
            Thread.Sleep(5);
        }
    }
}
