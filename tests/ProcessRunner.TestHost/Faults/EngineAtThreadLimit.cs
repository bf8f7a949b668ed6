using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Verifies that the first start fails like any other if one of an engine's initial threads cannot be created. Nothing
/// of the engine is left, and the start can be retried.
/// </summary>
internal sealed class EngineAtThreadLimit : IScenario
{
    private const int EAGAIN = 11;

    // Two reactors, the survey thread and the first delivery thread.
    private const int Threads = 4;

    private static readonly ProcessCommand s_command = new("/bin/true");

    public string Name => "engine-at-thread-limit";

    public void Play(string[] arguments)
    {
        if (NativeMethods.EffectiveUser() == 0)
        {
            // No limit applies to the superuser.
            NativeMethods.BecomeNobody();
        }

        ProcessEngineOptions options = new() { ReactorCount = 2 };
        using (ProcessEngine first = new(options))
        {
            Expect.Equal(0, s_command.Run(first).ExitCode, "exit code before");
        }

        using ProcessEngine engine = new(options);
        for (int n = 1; n <= Threads; n++)
        {
            int thread = 0;
            FaultPoint.Decide = call => call == "thread" && ++thread >= n ? EAGAIN : 0;
            ExpectShortage(engine, $"without thread {n}");
            FaultPoint.Decide = null;
        }

        ulong before = NativeMethods.SetProcessLimit(1);
        ExpectShortage(engine, "with a limit of one process");
        NativeMethods.SetProcessLimit(before);
        Expect.Equal(0, s_command.Run(engine).ExitCode, "exit code after");
        Expect.Equal(Threads, engine.ThreadCount, "threads");
    }

    private static void ExpectShortage(ProcessEngine engine, string when)
    {
        string descriptors = OpenDescriptors.Describe();
        ProcessStartException? failure = null;
        try
        {
            s_command.Run(engine);
        }
        catch (ProcessStartException exception)
        {
            failure = exception;
        }

        Expect.Equal(ProcessStartStep.OutOfResources, failure?.Step, $"step of the first start {when}");
        Expect.Equal(descriptors, OpenDescriptors.Describe(), $"descriptors {when}");
        LibraryThreads.ExpectNone(when);
    }
}
