using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Kills a child when its start is under way and its process does not exist yet. The process then hangs before its
/// program runs: its input is a FIFO that nobody writes.
/// </summary>
internal sealed class KillBeforeTheProcess : IScenario
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    public string Name => "kill-before-the-process";

    public void Play(string[] arguments)
    {
        string fifo = Path.Combine(Path.GetTempPath(), $"kill-before-the-process-{Environment.ProcessId}");
        Expect.Equal(0, new ProcessCommand("mkfifo", fifo).Run().ExitCode, "exit code of mkfifo");
        try
        {
            KillBeforeTheCall(new ProcessCommand("cat")
            {
                StandardInput = InputSource.FromFile(fifo),
                StopGrace = TimeSpan.Zero,
            });
        }
        finally
        {
            FaultPoint.Decide = null;
            File.Delete(fifo);
        }
    }

    private static void KillBeforeTheCall(ProcessCommand command)
    {
        using ProcessEngine engine = new();
        using CancellationTokenSource source = new();
        int cancellations = 0;
        FaultPoint.Decide = call =>
        {
            if (call is "clone" or "posix_spawn")
            {
                cancellations++;
                source.Cancel();
            }

            return 0;
        };
        IAsyncResult run = command.RunAsync(engine, source.Token);
        Expect.True(run.AsyncWaitHandle.WaitOne(s_patience), "the run ends");
        Expect.Equal(1, cancellations, "starts that were canceled");
        ProcessResult? result = null;
        try
        {
            ((Task<ProcessResult>)run).GetAwaiter().GetResult();
        }
        catch (OperationCanceledException exception)
        {
            result = ProcessResult.Of(exception);
        }

        Expect.Equal(StopCause.CancellationToken, result?.StoppedBy, "cause of the stop");
        Expect.Equal(9, result?.SignalNumber, "the signal that ended it");
    }
}
