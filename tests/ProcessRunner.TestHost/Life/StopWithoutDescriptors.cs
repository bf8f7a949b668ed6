using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using Microsoft.Win32.SafeHandles;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Plays a host that lacks descriptors while it stops a child with a descendant in its group and another in its own
/// session, both of which ignore the stop signal. The host must survive, and both must be gone once descriptors are
/// free again. With <c>first</c>, nothing has been stopped before.
/// </summary>
internal sealed class StopWithoutDescriptors : IScenario
{
    public string Name => "stop-without-descriptors";

    private const string Script =
        """
        ignoring='trap "" TERM; echo $$ >"$0"; while :; do sleep 0.01; done'
        sh -c "$ignoring" "$1" &
        setsid sh -c "$ignoring" "$1.escaped" &
        exec sleep 1000
        """;

    public void Play(string[] arguments)
    {
        ProcessCommand command = new("/bin/sh", "-c", Script, "sh")
        {
            StopGrace = TimeSpan.FromMilliseconds(500),
        };
        string file = arguments[1];
        if (arguments[0] != "first")
        {
            using ChildProcess before = Start(command, file + ".before", out _, out _);
            before.Stop();
        }

        using ChildProcess child = Start(command, file, out int member, out int escaped);
        using ManualResetEventSlim isWaiting = new();
        ProcessResult? result = null;
        Thread stopper = new(() =>
        {
            isWaiting.Wait();
            result = child.Stop();
        });
        stopper.Start();
        Expect.True(IsAlive(member) && IsAlive(escaped), "both live");
        ulong limit = NativeMethods.SetDescriptorLimit(OpenDescriptors.Highest + 20);
        List<SafeFileHandle> taken = ShortOfDescriptors.TakeAll();
        isWaiting.Set();

        // The time suffices for looks before and after the kill.
        stopper.Join(TimeSpan.FromSeconds(1));
        ShortOfDescriptors.GiveBack(taken);
        NativeMethods.SetDescriptorLimit(limit);
        stopper.Join();
        Expect.Equal(ProcessOutcome.Canceled, result?.Outcome, "outcome");
        Expect.True(!IsAlive(member), "the member of the group is gone when the stop has returned");
        Expect.True(!IsAlive(escaped), "the escaped process is gone when the stop has returned");
    }

    private static ChildProcess Start(ProcessCommand command, string file, out int member, out int escaped)
    {
        ChildProcess child = command.WithArguments(file).Start();
        member = Await(file);
        escaped = Await(file + ".escaped");
        return child;
    }

    private static int Await(string file)
    {
        for (int i = 0; i < 3000 && (!File.Exists(file) || File.ReadAllText(file).Length == 0); i++)
        {
            Thread.Sleep(10);
        }

        return int.Parse(File.ReadAllText(file));
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
