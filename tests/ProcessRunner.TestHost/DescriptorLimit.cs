using System.IO;

namespace ProcessRunner.TestHost;

/// <summary>
/// Lowers the descriptor limit step by step, so that a start fails at each place that opens a descriptor. Every failure
/// must be reported accurately and leave nothing behind, and a run must succeed once the limit is restored.
/// </summary>
internal sealed class DescriptorLimit : IScenario
{
    private const int EMFILE = 24;

    // Two pipes. The pidfd takes the place of their closed child ends.
    private const int Needed = 4;

    // A start leaves so many free below the limit, unless the limit is small. Free numbers further below do not count.
    private const ulong SmallLimit = 128;
    private const int LeftFree = 4;

    public string Name => "descriptor-limit";

    public void Play(string[] arguments)
    {
        // All code for a failure must be loaded first, because loading takes descriptors as well.
        ProcessCommand command = new("/bin/sh", "-c", "exit 3");
        Expect.Equal(3, command.Run().ExitCode, "exit code before");
        Expect.True(
            FailureOf(new ProcessCommand("/does/not/exist")) is not null, "a missing program cannot be started");

        // The first start that lacks a descriptor releases the descriptors that the engine keeps.
        ulong all = NativeMethods.SetDescriptorLimit(OpenDescriptors.LimitFor(0));
        _ = FailureOf(command);
        NativeMethods.SetDescriptorLimit(all);
        string open = OpenDescriptors.Describe();
        for (int free = Needed + LeftFree + 2; free >= 0; free--)
        {
            ulong limit = OpenDescriptors.LimitFor(free);
            ulong before = NativeMethods.SetDescriptorLimit(limit);
            ProcessStartException? failure = FailureOf(command);
            NativeMethods.SetDescriptorLimit(before);
            Expect.Equal(open, OpenDescriptors.Describe(), $"open descriptors after a start with {free} free numbers");
            Expect.Equal(
                "", File.ReadAllText("/proc/thread-self/children"), $"children after a start with {free} free numbers");
            if (limit < SmallLimit || free is < Needed or >= Needed + LeftFree)
            {
                Expect.Equal(free < Needed, failure is not null, $"whether a start fails with {free} free numbers");
            }

            if (failure is not null)
            {
                Expect.Equal(ProcessStartStep.OutOfDescriptors, failure.Step, $"step with {free} free numbers");
                Expect.Equal(EMFILE, failure.NativeErrorCode, $"errno with {free} free numbers");
            }
        }

        Expect.Equal(3, command.Run().ExitCode, "exit code after");
    }

    private static ProcessStartException? FailureOf(ProcessCommand command)
    {
        try
        {
            Expect.Equal(3, command.Run().ExitCode, "exit code near the limit");
            return null;
        }
        catch (ProcessStartException exception)
        {
            return exception;
        }
    }
}
