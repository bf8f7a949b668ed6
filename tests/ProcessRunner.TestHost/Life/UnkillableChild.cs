using System;
using System.IO;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Verifies that a start fails in a limited time if the child can be neither watched nor killed, as one that runs a
/// set-user-id program. The argument is the call without which it cannot be watched.
/// </summary>
internal sealed class UnkillableChild : IScenario
{
    private const int EPERM = 1;
    private const int EMFILE = 24;
    private const int ENOSPC = 28;

    private static readonly TimeSpan s_generous = TimeSpan.FromMinutes(2);

    public string Name => "unkillable-child";

    public void Play(string[] arguments)
    {
        string missing = arguments[0];
        bool hasNoPidFd = missing == "pidfd_open";
        string file = Path.GetTempFileName();
        ProcessCommand command = new("/bin/sh", "-c", "echo $$ >\"$0\"; exec sleep 1000", file);
        using ProcessEngine engine = new();
        new ProcessCommand("true").Run(engine).EnsureSuccess();
        FaultPoint.Decide = call => call switch
        {
            _ when call == missing => hasNoPidFd ? EMFILE : ENOSPC,
            "kill" or "pidfd_send_signal" => EPERM,
            _ => 0,
        };
        ProcessStartException? failure = null;
        Thread starter = new(() =>
        {
            try
            {
                command.Start(engine);
            }
            catch (ProcessStartException exception)
            {
                failure = exception;
            }
        });
        starter.Start();
        bool isOver = starter.Join(s_generous);
        FaultPoint.Decide = null;
        string written;
        while (!(written = File.ReadAllText(file)).EndsWith('\n'))
        {
            Thread.Sleep(1);
        }

        _ = NativeMethods.Kill(int.Parse(written), NativeMethods.SIGKILL);
        starter.Join();
        File.Delete(file);
        Expect.True(isOver, "the start does not wait for the child's end");
        Expect.Equal(
            hasNoPidFd ? ProcessStartStep.Other : ProcessStartStep.OutOfResources, failure?.Step, "step of the start");
    }
}
