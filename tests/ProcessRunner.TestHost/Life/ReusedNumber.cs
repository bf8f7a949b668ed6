using System;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Execution;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Plays a child of the portable backend whose number another process gets before the backend handles the exit. No
/// signal may reach that process.
/// </summary>
internal sealed class ReusedNumber : IScenario
{
    private const PosixSignal Kill = (PosixSignal)9;

    public string Name => "reused-number";

    public void Play(string[] arguments)
    {
        if (!ProcessNumber.CanBeChosen)
        {
            return;
        }

        using ProcessEngine portable = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
        using ProcessEngine native = new(new ProcessEngineOptions { Backend = EngineBackend.Native });
        using ChildProcess child = new ProcessCommand("sleep", "1000").Start(portable);
        BackendChild held = ChildOf(child);
        lock (held.Gate)
        {
            Expect.Equal(SignalDelivery.Sent, held.TrySignal(Kill), "delivery to the child");
            while (Directory.Exists($"/proc/{child.ProcessId}"))
            {
                Thread.Sleep(5);
            }

            using ChildProcess stranger = ProcessNumber.StartAs(child.ProcessId, native);
            Expect.Equal(SignalDelivery.Gone, held.TrySignal(Kill), "delivery to a stranger");
            Expect.True(!held.RequestStop(System.Runtime.InteropServices.PosixSignal.SIGTERM), "a stop reaches nobody");
            Expect.True(!stranger.TryWait(TimeSpan.FromSeconds(1), out _), "the stranger lives");
        }
    }

    private static BackendChild ChildOf(ChildProcess child) =>
        ((ChildLife)child.GetType().GetField("_life", BindingFlags.Instance | BindingFlags.NonPublic)!
            .GetValue(child)!).Child;
}
