using System;
using System.IO;
using System.Threading;

namespace ProcessRunner.TestHost;

/// <summary>
/// Stops this process for longer than the patience of a Tee, while one of the targets has taken nothing yet. Nobody
/// could take anything in that time, so the target must not be cut off.
/// </summary>
internal sealed class StoppedTee : IScenario
{
    private const int Size = 3_000_000;

    public string Name => "stopped-tee";

    public void Play(string[] arguments)
    {
        using ManualResetEventSlim isContinued = new();
        long taken = 0;
        using ChildProcess child = (new ProcessCommand("head", "-c", $"{Size}", "/dev/zero") with
        {
            StandardOutput = OutputTarget.Tee(
                OutputTarget.ToBytes(bytes =>
                {
                    isContinued.Wait();
                    taken += bytes.Length;
                }),
                OutputTarget.Capture()),
        }).Start();
        WaitUntilBlocked(child);
        new ProcessCommand(
            "/bin/sh", "-c", $"kill -s STOP {Environment.ProcessId}; sleep 7; kill -s CONT {Environment.ProcessId}")
            .Run().EnsureSuccess();
        isContinued.Set();
        ProcessResult result = child.Wait().EnsureSuccess();
        Expect.Equal(Size, taken, "bytes of the target");
        Expect.Equal(Size, result.StandardOutput.Bytes.Length, "captured bytes");
    }

    // The child sleeps in write(2) once the buffers of the target and the pipe are full.
    private static void WaitUntilBlocked(ChildProcess child)
    {
        for (int calm = 0; calm < 50; Thread.Sleep(1))
        {
            string stat = File.ReadAllText($"/proc/{child.ProcessId}/stat");
            calm = stat[stat.LastIndexOf(')') + 2] == 'S' ? calm + 1 : 0;
        }
    }
}
