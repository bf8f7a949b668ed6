using PTest.Hosts;

/// <summary>
/// The runtime calls this before the entry point of the test project, in the process of the tests, where their
/// dependencies, their base directory and their configuration are.
/// </summary>
internal static class StartupHook
{
    public static void Initialize() => HostMain.Run((job, events) => Xunit2Host.Run(job, events));
}
