using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Verifies that a child whose program runs already waits for its pidfd, if another thread takes the last descriptor
/// for a moment.
/// </summary>
internal sealed class MomentWithoutPidFd : IScenario
{
    private const int EMFILE = 24;

    public string Name => "moment-without-pidfd";

    public void Play(string[] arguments)
    {
        using ProcessEngine engine = new();
        new ProcessCommand("true").Run(engine).EnsureSuccess();
        int refusals = 0;
        FaultPoint.Decide = call => call switch
        {
            "pidfd_open" when Thread.CurrentThread.Name != "ProcessRunner launches" => ++refusals <= 3 ? EMFILE : 0,
            "clone" => EMFILE,
            _ => 0,
        };
        ProcessResult result = new ProcessCommand("echo", "text").Run(engine);
        FaultPoint.Decide = null;
        Expect.Equal("text\n", result.EnsureSuccess().StandardOutput.Text, "output");
        Expect.Equal(4, refusals, "attempts to open the pidfd");
    }
}
