using System;
using System.IO;
using System.Threading;

namespace ProcessRunner.HostileTests;

/// <summary>Keeps what a later process is to know in the folder of the run.</summary>
internal static class State
{
    /// <summary>Gets the path of a file of that folder.</summary>
    public static string File(string name) =>
        Path.Combine(Environment.GetEnvironmentVariable("HOSTILE_STATE") ?? Path.GetTempPath(), name);

    /// <summary>Returns whether this is the first call with the name.</summary>
    public static bool IsFirst(string name)
    {
        if (System.IO.File.Exists(File(name)))
        {
            return false;
        }

        System.IO.File.WriteAllText(File(name), "");
        return true;
    }

    /// <summary>Waits until a test in another process is there as well, if the run is asked for that.</summary>
    public static void Meet(string self, string other)
    {
        if (Environment.GetEnvironmentVariable("HOSTILE_MEET") is not null)
        {
            System.IO.File.WriteAllText(File(self), "");
            SpinWait.SpinUntil(() => System.IO.File.Exists(File(other)), TimeSpan.FromSeconds(60));
        }
    }
}
