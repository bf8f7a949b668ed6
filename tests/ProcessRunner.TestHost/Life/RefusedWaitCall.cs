using System;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Verifies a kernel that refuses every wait for a child from some moment on, because this process has installed a
/// filter after its first start. Children end and are stopped as usual, but their statuses are lost. The argument is
/// the error number.
/// </summary>
internal sealed class RefusedWaitCall : IScenario
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(2);

    private int _error;

    public string Name => "refused-wait-call";

    public void Play(string[] arguments)
    {
        _error = int.Parse(arguments[0]);
        using ProcessEngine engine = new();
        Expect.Equal(3, Shell("exit 3").Run(engine).ExitCode, "exit code before");
        string descriptors = OpenDescriptors.Describe();
        ExpectLost(WhileRefused(() => Shell("echo text; exit 4").Run(engine)));
        ExpectLost(EndWhileRefused(engine, child => child.Wait()));
        ExpectLost(EndWhileRefused(engine, child => child.WaitAsync().GetAwaiter().GetResult()));
        Expect.Equal(StopCause.Request, StopWhileRefused(engine, TimeSpan.FromMinutes(5)).StoppedBy, "cause of a stop");
        Expect.Equal(StopCause.Request, StopWhileRefused(engine, TimeSpan.Zero).StoppedBy, "cause of the kill");
        DisposeWhileRefused();
        ReapAll();
        Expect.Equal(descriptors, OpenDescriptors.Describe(), "descriptors");
        Expect.Equal(3, Shell("exit 3").Run(engine).ExitCode, "exit code after");
    }

    private static void ExpectLost(ProcessResult result)
    {
        Expect.Equal(ProcessOutcome.StatusLost, result.Outcome, "outcome");
        Expect.Equal("text\n", result.StandardOutput.Text, "output");
    }

    private ProcessResult EndWhileRefused(ProcessEngine engine, Func<ChildProcess, ProcessResult> wait)
    {
        using ChildProcess child =
            (Shell("read go; echo text; exit 4") with { StandardInput = InputSource.Pipe }).Start(engine);
        return WhileRefused(() =>
        {
            child.StandardInput.Close();
            return wait(child);
        });
    }

    private ProcessResult StopWhileRefused(ProcessEngine engine, TimeSpan grace)
    {
        using ChildProcess child = new ProcessCommand("sleep", "1000").Start(engine);
        return WhileRefused(() => child.Stop(grace));
    }

    private void DisposeWhileRefused()
    {
        ProcessEngine engine = new(new ProcessEngineOptions { KillChildrenOnExit = true });
        ChildProcess child = new ProcessCommand("sleep", "1000").Start(engine);
        ChildProcess other = new ProcessCommand("sleep", "1000").Start(engine);
        WhileRefused(() =>
        {
            engine.Dispose();
            return child.Wait();
        });
        Expect.Equal(StopCause.EngineDispose, other.Wait().StoppedBy, "cause of the other child's kill");
    }

    private T WhileRefused<T>(Func<T> action)
    {
        FaultPoint.Decide = call => call == "waitid" ? _error : 0;
        T result = default!;
        Exception? failure = null;
        Thread thread = new(() => failure = Failure(() => result = action())) { IsBackground = true };
        thread.Start();
        Expect.True(thread.Join(s_patience), "it ends");
        FaultPoint.Decide = null;
        return failure is null ? result : throw new InvalidOperationException("It fails.", failure);
    }

    private static Exception? Failure(Action action)
    {
        try
        {
            action();
            return null;
        }
        catch (Exception exception)
        {
            return exception;
        }
    }

    // Reaps the zombies that the library could not reap.
    private static void ReapAll()
    {
        while (NativeMethods.HasChildren)
        {
            Thread.Yield();
        }
    }

    private static ProcessCommand Shell(string script) => new("/bin/sh", "-c", script);
}
