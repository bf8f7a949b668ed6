using System;
using System.Diagnostics;
using System.Globalization;
using System.Threading;

namespace ProcessRunner.CrowdTests;

/// <summary>Kills the process in about one of a hundred classes, which the variable CROWD_SEED chooses.</summary>
public static class Fate
{
    public static void Meet(int number)
    {
        string? seed = Environment.GetEnvironmentVariable("CROWD_SEED");
        if (seed is not null && Draw(number, int.Parse(seed, CultureInfo.InvariantCulture)) == 0)
        {
            Process.GetCurrentProcess().Kill();
            Thread.Sleep(Timeout.Infinite);
        }
    }

    /// <summary>Draws a number below a hundred.</summary>
    public static int Draw(int number, int seed)
    {
        uint hash = (uint)((number * 7919) + (seed * 104729));
        hash = (hash ^ (hash >> 15)) * 2246822519;
        hash = (hash ^ (hash >> 13)) * 3266489917;
        return (int)((hash ^ (hash >> 16)) % 100);
    }
}
