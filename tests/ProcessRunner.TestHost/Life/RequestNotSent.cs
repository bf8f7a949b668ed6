using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Verifies that a descendant that could not be asked to end, because its mark could not be read at that moment, is
/// asked again.
/// </summary>
internal sealed class RequestNotSent : IScenario
{
    private const int ENOMEM = 12;

    public string Name => "request-not-sent";

    public void Play(string[] arguments)
    {
        int refusals = 3;
        using ProcessEngine engine = new();
        ProcessCommand command = new(
            "/bin/sh", "-c", "setsid sh -c 'trap \"exit 0\" TERM; echo; while :; do sleep 0.01; done' & wait")
        {
            StandardOutput = OutputTarget.Live(),
        };
        using ChildProcess child = command.Start(engine);
        child.WaitForLine(_ => true, Timeout.InfiniteTimeSpan);
        FaultPoint.Decide = call => call == "pidfd_send_signal"
            && Thread.CurrentThread.Name == "ProcessRunner survey"
            && Interlocked.Decrement(ref refusals) >= 0
            ? ENOMEM
            : 0;

        // There is no kill that would make up for it.
        ProcessResult result = child.Stop(Timeout.InfiniteTimeSpan);
        FaultPoint.Decide = null;
        Expect.True(refusals < 0, "it was asked once more");
        Expect.Equal(0, result.SurvivingDescendants.Count, "count of survivors");
    }
}
