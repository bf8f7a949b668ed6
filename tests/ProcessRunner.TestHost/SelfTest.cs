using System;
using System.Collections.Generic;
using System.Reflection;
using System.Threading;
using ProcessRunner.Backends.Linux.Start;

namespace ProcessRunner.TestHost;

/// <summary>
/// Reads the library's finding about the fast way to start a child, which its behaviour does not reveal.
/// </summary>
internal static class SelfTest
{
    private const int FirstOfWord = 64;
    private const int LastOfWord = 127;

    /// <summary>Gets whether the fast way exists and can be tested.</summary>
    public static bool IsMade => Environment.GetEnvironmentVariable("USE_POSIX_SPAWN") is null;

    /// <summary>Gets the verdict that is right on this kernel, once the test has been made.</summary>
    public static string RightVerdict =>
        IsMade && NextDescriptorBehindTheGivenUp() == FirstOfWord ? "Passed" : "Failed";

    /// <summary>Gets the verdict: Passed, Failed or Unknown.</summary>
    public static string Verdict =>
        $"{typeof(CloneSelfTest).GetField("s_verdict", BindingFlags.NonPublic | BindingFlags.Static)!.GetValue(null)}";

    // CVE-2024-45025, on a thread that gives up its share of the descriptors: some kernels before 6.11 return 128.
    private static int NextDescriptorBehindTheGivenUp()
    {
        const int SYS_close_range = 436;
        const int CLOSE_RANGE_UNSHARE = 2;
        const int F_DUPFD = 0;
        List<int> crowd = [];
        int next = -1;
        do
        {
            crowd.Add(NativeMethods.Open("/dev/null", NativeMethods.O_CLOEXEC));
        }
        while (crowd[^1] is >= 0 and < LastOfWord);

        Thread thread = new(() => next =
            NativeMethods.SystemCall(SYS_close_range, FirstOfWord, int.MaxValue, CLOSE_RANGE_UNSHARE) == 0
                ? NativeMethods.Fcntl(0, F_DUPFD, FirstOfWord)
                : -1);
        thread.Start();
        thread.Join();
        crowd.ForEach(descriptor => NativeMethods.Close(descriptor));
        return next;
    }
}
