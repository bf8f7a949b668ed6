using System.Runtime.InteropServices;

namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies that children are started by the other way, and the fast way is not retried, if a seccomp profile hides a
/// call of the fast way or the kernel numbers descriptors wrongly.
/// </summary>
internal sealed class HiddenSystemCall : IScenario
{
    private const uint CLONE_PIDFD = 0x1000;
    private const int SYS_close_range = 436;

    private static readonly int s_clone = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 56 : 220;
    private static readonly int s_fcntl = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 72 : 25;

    public string Name => "hidden-system-call";

    public void Play(string[] arguments)
    {
        switch (arguments[0])
        {
            case "close_range":
                SystemCallFilter.Hide(SYS_close_range);
                break;
            case "clone":
                SystemCallFilter.Hide(s_clone, flag: CLONE_PIDFD);
                break;

            // Some kernels return 128 as the first free number from 64 on (CVE-2024-45025).
            case "64":
                SystemCallFilter.Hide(s_fcntl, SystemCallFilter.EBADF, first: 64);
                break;
        }

        int careless = NativeMethods.Open("/dev/null", 0);
        for (int i = 0; i < 20; i++)
        {
            ProcessResult result =
                new ProcessCommand("ls", "/proc/self/fd") { StandardError = OutputTarget.Null }.Run();
            Expect.Equal(0, result.ExitCode, "exit code");
            Expect.Equal("0\n1\n2\n3\n", result.StandardOutput.Text, "the child's descriptors");
        }

        try
        {
            new ProcessCommand("/dev/null").Run();
            Expect.True(false, "a device cannot be started");
        }
        catch (ProcessStartException exception)
        {
            Expect.Equal(13, exception.NativeErrorCode, "the error, EACCES");
        }

        Expect.Equal(arguments[0] == "none" ? SelfTest.RightVerdict : "Failed", SelfTest.Verdict, "the verdict");
        Expect.Equal(0, NativeMethods.Close(careless), "close");
        Expect.True(!NativeMethods.HasChildren, "no child is left, not even a zombie");
    }
}
