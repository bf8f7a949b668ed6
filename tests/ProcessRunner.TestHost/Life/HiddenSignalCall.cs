using System;
using System.Runtime.InteropServices;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Where a seccomp profile hides pidfd_send_signal, behind the error that its argument is, children are signalled all the
/// same: limits, stops and signals of the user's hold.
/// </summary>
internal sealed class HiddenSignalCall : IScenario
{
    private const int SYS_pidfd_send_signal = 424;

    private static readonly TimeSpan s_generous = TimeSpan.FromSeconds(60);

    public string Name => "hidden-signal-call";

    public void Play(string[] arguments)
    {
        SystemCallFilter.Hide(SYS_pidfd_send_signal, int.Parse(arguments[0]));
        foreach (ProcessGroupMode mode in Enum.GetValues<ProcessGroupMode>())
        {
            ProcessCommand command = new("sleep", "1000") { GroupMode = mode };
            using ChildProcess limited = (command with { Timeout = TimeSpan.FromMilliseconds(200) }).Start();
            Expect.True(limited.TryWait(s_generous, out ProcessResult? result), $"a limit holds in mode {mode}");
            Expect.Equal(ProcessOutcome.TimedOut, result!.Outcome, "outcome");
            using ChildProcess stopped = command.Start();
            Expect.Equal(9, stopped.Stop(TimeSpan.Zero).SignalNumber, "signal of a child that was killed");
            using ChildProcess signalled = command.Start();
            Expect.True(signalled.Signal((PosixSignal)10), "a signal can be sent");
            Expect.Equal(10, signalled.Wait().SignalNumber, "signal of a child that was sent one");
            Expect.True(!signalled.Signal((PosixSignal)10), "nobody is left to be signalled");
        }
    }
}
