using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost;

/// <summary>
/// Makes 400 starts on four threads. Every child does what it is asked for, every start that must fail names the right
/// step, and all children are started in the way that the variable <c>USE_POSIX_SPAWN</c> asks for.
/// </summary>
internal sealed class ManyStarts : IScenario
{
    private const int Starters = 4;
    private const int StartsOfEach = 100;

    public string Name => "many-starts";

    public void Play(string[] arguments)
    {
        ConcurrentQueue<Exception> failures = [];
        Thread[] starters = [.. Enumerable.Range(0, Starters).Select(starter => new Thread(() =>
        {
            try
            {
                for (int i = 0; i < StartsOfEach; i++)
                {
                    Start(starter, i);
                }
            }
            catch (Exception exception)
            {
                failures.Enqueue(exception);
            }
        }))];
        Array.ForEach(starters, thread => thread.Start());
        Array.ForEach(starters, thread => thread.Join());
        Expect.Equal(null, failures.FirstOrDefault(), "exception of a thread");
        Expect.Equal(SelfTest.RightVerdict, SelfTest.Verdict, "the verdict about the fast way");
        Expect.True(!NativeMethods.HasChildren, "no child is left, not even a zombie");
    }

    private static void Start(int starter, int number)
    {
        string text = $"{starter}-{number}";
        ProcessResult result = new ProcessCommand("printf", "%s", text).Run();
        Expect.Equal(text, result.StandardOutput.Text, "output");
        switch (number % 8)
        {
            case 0:
                Fail(new ProcessCommand("/no/such/program"), ProcessStartStep.NotFound);
                break;
            case 2:
                Fail(new ProcessCommand("/dev/null"), ProcessStartStep.NotExecutable);
                break;
            case 4:
                Fail(new ProcessCommand("true") { WorkingDirectory = "/no/such" }, ProcessStartStep.BadDirectory);
                break;
            case 6:
                Fail(
                    new ProcessCommand("cat") { StandardInput = InputSource.FromFile("/no/such") },
                    ProcessStartStep.BadStreamFile);
                break;
        }
    }

    private static void Fail(ProcessCommand command, ProcessStartStep step)
    {
        try
        {
            command.Run();
        }
        catch (ProcessStartException exception)
        {
            Expect.Equal(step, exception.Step, "the step that failed");
            return;
        }

        Expect.True(false, $"{command} cannot be started");
    }
}
