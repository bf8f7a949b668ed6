using System;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

[OnlyOn(Systems.Linux, "signals and /proc")]
[NativeBackend(".NET starts a child in the group of this process")]
public sealed class RaceTests
{
    // Eight threads do everything to a child at once. The child ends once, and no process is signaled afterwards.
    [Fact]
    public void KillSignalStopAndWait_FromEightThreads_GiveOneOutcomeAndNoSignalAfterTheEnd() => Guard.Run(() =>
    {
        const int Rounds = 1500;
        const int Threads = 8;
        using Barrier barrier = new(Threads + 1);
        ChildProcess? child = null;
        ProcessResult?[] results = new ProcessResult?[Threads];
        string? failure = null;
        int signalsAfterTheEnd = 0;
        Thread[] threads = [.. Enumerable.Range(0, Threads).Select(number => new Thread(() =>
        {
            for (int round = 0; round < Rounds; round++)
            {
                barrier.SignalAndWait();
                try
                {
                    Thread.SpinWait((round * 37 * (number + 1)) % 3000);
                    switch ((round + number) % 4)
                    {
                        case 0:
                            child!.Kill();
                            break;

                        case 1:
                            child!.Signal(PosixSignal.SIGTERM);
                            break;

                        case 2:
                            results[number] = child!.Stop(TimeSpan.Zero);
                            break;
                    }

                    results[number] = child!.Wait();
                    signalsAfterTheEnd += child.Signal((PosixSignal)9) ? 1 : 0;
                    child.Kill();
                    child.Dispose();
                }
                catch (Exception exception)
                {
                    failure = exception.ToString();
                }

                barrier.SignalAndWait();
            }
        }))];
        Array.ForEach(threads, thread => thread.Start());
        ProcessCommand[] commands = [new("sleep", "1000"), new("true")];
        for (int round = 0; round < Rounds; round++)
        {
            child = commands[round % 2].Start();
            barrier.SignalAndWait();
            barrier.SignalAndWait();
            ProcessResult result = child.Wait();
            bool isOne = results.All(one => ReferenceEquals(one, result));
            bool isRight = (result.ExitCode, result.SignalNumber) is (0, null) or (null, 9) or (null, 15);
            failure = isOne && isRight ? failure : $"{round}: {result}";
        }

        Array.ForEach(threads, thread => thread.Join());
        failure.Should().BeNull();
        signalsAfterTheEnd.Should().Be(0);
    });

    // A tracer makes a pidfd readable at every stop of the child (ptrace(2), PTRACE_SEIZE), but no stop is an end.
    [Fact]
    public unsafe void ReadinessWithoutAnExit_IsNotTakenForTheEnd() => Guard.Run(() =>
    {
        using ChildProcess child = TestPrograms.Shell("sleep 1000; exit 7").Start();
        int processId = child.ProcessId;
        if (NativeMethods.PTrace(NativeMethods.PTRACE_SEIZE, processId, 0, 0) != 0)
        {
            // EPERM: a machine may forbid tracing altogether. The child is untouched then.
            Marshal.GetLastPInvokeError().Should().Be(1);
        }
        else
        {
            for (int i = 0; i < 200; i++)
            {
                int status;
                NativeMethods.PTrace(NativeMethods.PTRACE_INTERRUPT, processId, 0, 0).Should().Be(0);
                NativeMethods.WaitPid(processId, &status, NativeMethods.WaitForAnyKind).Should().Be(processId);
                (status & 0xff).Should().Be(0x7f, "it has stopped");
                NativeMethods.PTrace(NativeMethods.PTRACE_CONT, processId, 0, 0).Should().Be(0);
            }

            // A tracer can only detach from a stopped tracee.
            int last;
            NativeMethods.PTrace(NativeMethods.PTRACE_INTERRUPT, processId, 0, 0).Should().Be(0);
            NativeMethods.WaitPid(processId, &last, NativeMethods.WaitForAnyKind).Should().Be(processId);
            NativeMethods.PTrace(NativeMethods.PTRACE_DETACH, processId, 0, 0).Should().Be(0);
        }

        child.IsRunning.Should().BeTrue();
        ProcFs.IsAlive(processId).Should().BeTrue();
        child.Signal(PosixSignal.SIGTERM).Should().BeTrue();
        (child.Wait().Outcome, child.Wait().SignalNumber).Should().Be((ProcessOutcome.Signaled, 15));
    });
}
