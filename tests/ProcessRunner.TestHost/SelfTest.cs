using System;
using System.Reflection;
using System.Runtime.InteropServices;

namespace ProcessRunner.TestHost;

/// <summary>What the library has found out about the fast way to start a child, which shows in nothing that it does.</summary>
internal static class SelfTest
{
    /// <summary>Whether that way is there to be tested.</summary>
    public static bool IsMade =>
        RuntimeInformation.ProcessArchitecture == Architecture.X64 && Environment.GetEnvironmentVariable("USE_POSIX_SPAWN") is null;

    /// <summary>Passed, Failed, or Unknown.</summary>
    public static string Verdict =>
        $"{typeof(ProcessCommand).Assembly.GetType("ProcessRunner.Backends.Linux.CloneSelfTest")!
            .GetField("s_verdict", BindingFlags.NonPublic | BindingFlags.Static)!.GetValue(null)}";
}
