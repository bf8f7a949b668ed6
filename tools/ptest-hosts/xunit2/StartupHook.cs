using System;
using PTest.Hosts;

/// <summary>
/// The runtime calls this before the entry point of the test project, in the process of the tests, where their
/// dependencies, their base directory and their configuration are.
/// </summary>
internal static class StartupHook
{
    public static void Initialize()
    {
        if (Job.Take() is Job job)
        {
            // Foreground threads of the tests must not hold up the end.
            Environment.Exit(Xunit2Host.Run(job));
        }
    }
}
