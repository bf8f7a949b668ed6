using System;
using System.Diagnostics;
using System.Threading;

namespace ProcessRunner.TestSupport;

/// <summary>Waits for an effect of another process that sends no event.</summary>
public static class Eventually
{
    public static void Is(Func<bool> condition, string because)
    {
        Stopwatch watch = Stopwatch.StartNew();
        while (!condition())
        {
            if (watch.Elapsed > TimeSpan.FromSeconds(60))
            {
                throw new TimeoutException($"It did not come true: {because}");
            }

            Thread.Sleep(5);
        }
    }
}
