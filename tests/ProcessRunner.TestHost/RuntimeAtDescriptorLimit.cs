using System.Collections.Generic;
using System.Threading;
using ProcessRunner.TestHost.Life;

namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies that the runtime still gets the descriptors for a thread of its own while as many children run as the limit
/// allows. Without them .NET ends the program.
/// </summary>
internal sealed class RuntimeAtDescriptorLimit : IScenario
{
    private const int Free = 150;
    private const int Threads = 100;

    public string Name => "runtime-at-descriptor-limit";

    public void Play(string[] arguments)
    {
        ProcessCommand command = new("sleep", "1000");
        Expect.Equal(0, new ProcessCommand("true").Run().ExitCode, "exit code before");
        StartThread();
        ProcessStartException? missing = ShortOfDescriptors.FailureOf(new ProcessCommand("no-such-program"));
        Expect.Equal(ProcessStartStep.NotFound, missing?.Step, "step of a failure, whose code is loaded before");
        ulong before = NativeMethods.SetDescriptorLimit(OpenDescriptors.LimitFor(Free));
        List<ChildProcess> children = [];
        try
        {
            Expect.Equal(ProcessStartStep.OutOfDescriptors, StartUntilOneFails(command, children).Step, "step");
            Expect.True(children.Count > 5, $"most descriptors serve children: {children.Count}");
            for (int i = 0; i < Threads; i++)
            {
                StartThread();
            }
        }
        finally
        {
            NativeMethods.SetDescriptorLimit(before);
            children.ForEach(child => child.Dispose());
        }
    }

    private static void StartThread()
    {
        Thread thread = new(() => { });
        thread.Start();
        thread.Join();
    }

    private static ProcessStartException StartUntilOneFails(ProcessCommand command, List<ChildProcess> children)
    {
        try
        {
            while (true)
            {
                children.Add(command.Start());
            }
        }
        catch (ProcessStartException exception)
        {
            return exception;
        }
    }
}
