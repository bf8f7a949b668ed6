using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using Microsoft.Win32.SafeHandles;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// A host that is out of descriptors while it stops a child with a member that ignores the stop signal: the host lives
/// on, and once there are descriptors again the member is gone. <c>first</c>: nothing has been stopped before.
/// </summary>
internal sealed class StopWithoutDescriptors : IScenario
{
    public string Name => "stop-without-descriptors";

    public void Play(string[] arguments)
    {
        ProcessCommand command = new("/bin/sh", "-c", "sh -c 'trap \"\" TERM; echo $$ >\"$1\"; while :; do sleep 0.01; done' sh \"$1\" & exec sleep 1000", "sh")
        {
            StopGrace = TimeSpan.FromMilliseconds(500),
        };
        string file = arguments[1];
        if (arguments[0] != "first")
        {
            using ChildProcess before = Start(command, file + ".before", out _);
            before.Stop();
        }

        using ChildProcess child = Start(command, file, out int member);
        using ManualResetEventSlim isWaiting = new();
        ProcessResult? result = null;
        Thread stopper = new(() =>
        {
            isWaiting.Wait();
            result = child.Stop();
        });
        stopper.Start();
        Expect.True(IsAlive(member), "the member lives");
        ulong limit = NativeMethods.SetDescriptorLimit(OpenDescriptors.Highest + 20);
        List<SafeFileHandle> taken = ShortOfDescriptors.TakeAll();
        isWaiting.Set();

        // Long enough for looks before and after the kill.
        stopper.Join(TimeSpan.FromSeconds(1));
        ShortOfDescriptors.GiveBack(taken);
        NativeMethods.SetDescriptorLimit(limit);
        stopper.Join();
        Expect.Equal(ProcessOutcome.Canceled, result?.Outcome, "outcome");
        Expect.True(!IsAlive(member), "the member is gone when the stop has returned");
    }

    private static ChildProcess Start(ProcessCommand command, string file, out int member)
    {
        ChildProcess child = command.WithArguments(file).Start();
        for (int i = 0; i < 3000 && (!File.Exists(file) || File.ReadAllText(file).Length == 0); i++)
        {
            Thread.Sleep(10);
        }

        member = int.Parse(File.ReadAllText(file));
        return child;
    }

    private static bool IsAlive(int processId)
    {
        try
        {
            string stat = File.ReadAllText($"/proc/{processId}/stat");
            return stat[stat.LastIndexOf(')') + 2] is not ('Z' or 'X');
        }
        catch (IOException)
        {
            return false;
        }
    }
}
