using System.Threading;

namespace ProcessRunner.TestHost;

/// <summary>
/// Runs a thread that waits for any child, like an old C library in the same process, and so steals statuses. Each
/// result must be exact or report that the status is lost; all output must arrive, and nothing may hang.
/// </summary>
internal sealed unsafe class ForeignReaper : IScenario
{
    private const int WNOHANG = 1;

    private volatile bool _done;

    public string Name => "foreign-reaper";

    public void Play(string[] arguments)
    {
        Thread reaper = new(() =>
        {
            while (!_done)
            {
                if (NativeMethods.WaitPid(-1, null, WNOHANG) <= 0)
                {
                    Thread.Yield();
                }
            }
        });
        reaper.Start();
        try
        {
            for (int i = 0; i < 300; i++)
            {
                ProcessResult result = new ProcessCommand("/bin/sh", "-c", "echo text; exit 5").Run();
                Expect.Equal("text\n", result.StandardOutput.Text, "output");
                bool isLost = result.Outcome == ProcessOutcome.StatusLost;
                Expect.True(isLost || result.Outcome == ProcessOutcome.Exited, "it exited or its status is lost");
                Expect.True(result.ExitCode is 5 || (isLost && result.ExitCode is null), "a code is never guessed");
                Expect.Equal(!isLost && result.ExitCode == 0, result.IsSuccess, "success");
            }
        }
        finally
        {
            _done = true;
            reaper.Join();
        }
    }
}
