using System;
using System.Reflection;
using ProcessRunner.Backends.Linux.Start;

namespace ProcessRunner.TestHost;

/// <summary>
/// Reads the library's finding about the fast way to start a child, which its behaviour does not reveal.
/// </summary>
internal static class SelfTest
{
    /// <summary>Gets whether the fast way exists and can be tested.</summary>
    public static bool IsMade => Environment.GetEnvironmentVariable("USE_POSIX_SPAWN") is null;

    /// <summary>Gets the verdict: Passed, Failed or Unknown.</summary>
    public static string Verdict =>
        $"{typeof(CloneSelfTest).GetField("s_verdict", BindingFlags.NonPublic | BindingFlags.Static)!.GetValue(null)}";
}
