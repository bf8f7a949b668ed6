using System;
using System.IO;
using System.Linq;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Verifies that a start that lacks a descriptor for the pidfd does not run its program again and again: not at all
/// where the clone makes the pidfd, and once where it is opened afterwards.
/// </summary>
internal sealed class ProgramWithoutPidFd : IScenario
{
    private const int EMFILE = 24;

    private static readonly TimeSpan s_generous = TimeSpan.FromMinutes(1);

    public string Name => "program-without-pidfd";

    public void Play(string[] arguments)
    {
        string file = Path.GetTempFileName();
        int Lines() => File.ReadLines(file).Count();
        ProcessCommand command = new("/bin/sh", "-c", "echo line >>\"$0\"; exec sleep 1000", file)
        {
            StandardInput = InputSource.Null,
            StandardOutput = OutputTarget.Null,
            StandardError = OutputTarget.Null,
        };
        using ProcessEngine engine = new();
        new ProcessCommand("true").Run(engine).EnsureSuccess();
        bool isCloned = SelfTest.RightVerdict == "Passed";
        int starts = 0;
        FaultPoint.Decide = call =>
        {
            if (call == "pidfd_open" && Thread.CurrentThread.Name != "ProcessRunner launches")
            {
                // The program runs now, and has done its work.
                Expect.True(SpinWait.SpinUntil(() => Lines() == starts, s_generous), "the program runs");
                return EMFILE;
            }

            starts += call == "posix_spawn" ? 1 : 0;
            return call == "clone" ? EMFILE : 0;
        };
        ProcessStartException? failure = ShortOfDescriptors.FailureOf(command, engine);
        FaultPoint.Decide = null;
        int lines = Lines();
        File.Delete(file);
        Expect.Equal(isCloned ? 0 : 1, lines, "how often the program ran");
        Expect.Equal(EMFILE, failure?.NativeErrorCode, "errno");
        Expect.Equal(
            isCloned ? ProcessStartStep.OutOfDescriptors : ProcessStartStep.Other, failure?.Step, "step that failed");
        Expect.True(!NativeMethods.HasChildren, "no child is left, not even a zombie");
    }
}
