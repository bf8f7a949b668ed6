using System.Collections.Generic;
using System.Threading;

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
        Expect.Equal(true, FailureOf(new ProcessCommand("no-such-program")) is not null, "a failure, loaded before");
        ulong before = NativeMethods.SetDescriptorLimit(OpenDescriptors.LimitFor(Free));
        List<ChildProcess> children = [];
        try
        {
            ProcessStartException? failure = FailureOf(command, children);
            while (failure is null)
            {
                failure = FailureOf(command, children);
            }

            Expect.Equal(ProcessStartStep.OutOfDescriptors, failure.Step, "step");
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

    private static ProcessStartException? FailureOf(ProcessCommand command, List<ChildProcess>? children = null)
    {
        try
        {
            ChildProcess child = command.Start();
            children?.Add(child);
            return null;
        }
        catch (ProcessStartException exception)
        {
            return exception;
        }
    }
}
