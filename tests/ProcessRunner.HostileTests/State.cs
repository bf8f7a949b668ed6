using System;
using System.IO;

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
}
