using System;
using System.IO;
using System.Linq;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Verifies that a reactor serves its other children while it waits for the end of one that can be neither watched nor
/// killed.
/// </summary>
internal sealed class UnkillableChildBesideOthers : IScenario
{
    private const int EPERM = 1;
    private const int ENOSPC = 28;

    private static readonly TimeSpan s_generous = TimeSpan.FromMinutes(2);

    public string Name => "unkillable-child-beside-others";

    public void Play(string[] arguments)
    {
        string file = Path.GetTempFileName();
        ProcessCommand command = new("/bin/sh", "-c", "echo $$ >\"$0\"; exec sleep 1000", file);
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        ProcessCommand echo = new("cat")
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.Live(),
        };
        using ChildProcess other = echo.Start(engine);
        FaultPoint.Decide = static call => call switch
        {
            "epoll_ctl EPOLL_CTL_ADD" => ENOSPC,
            "kill" or "pidfd_send_signal" => EPERM,
            _ => 0,
        };
        Exception? failure = null;
        bool isOver = false;
        Thread starter = new(() =>
        {
            failure = ProcessBatch.Enumerate([command], new BatchOptions { Engine = engine }).Single().Exception;
            Volatile.Write(ref isOver, true);
        });
        starter.Start();
        while (!File.ReadAllText(file).EndsWith('\n'))
        {
            Thread.Sleep(1);
        }

        other.StandardInput.Write("echo\n"u8);
        other.WaitForLine(_ => true, s_generous);
        bool wasOver = Volatile.Read(ref isOver);
        bool isOverInTime = starter.Join(s_generous);
        FaultPoint.Decide = null;
        _ = NativeMethods.Kill(int.Parse(File.ReadAllText(file)), NativeMethods.SIGKILL);
        starter.Join();
        File.Delete(file);
        Expect.True(isOverInTime, "the start does not wait for the child's end");
        Expect.Equal(
            ProcessStartStep.OutOfResources, (failure as ProcessStartException)?.Step, "step of the start");
        Expect.True(!wasOver, "another child of the reactor writes meanwhile");
    }
}
