using System;
using System.IO;
using System.Threading;

namespace ProcessRunner.TestHost;

/// <summary>
/// Stops a child before its program runs, while it opens the FIFO that is its input. Its starter sleeps until the
/// program runs, so the child must be woken.
/// </summary>
internal sealed class StoppedStart : IScenario
{
    private const int SIGSTOP = 19;

    public string Name => "stopped-start";

    public void Play(string[] arguments)
    {
        string fifo = Path.Combine(Path.GetTempPath(), $"stopped-start-{Environment.ProcessId}");
        Expect.Equal(0, new ProcessCommand("mkfifo", fifo).Run().ExitCode, "exit code of mkfifo");
        try
        {
            ProcessResult? result = null;
            Thread starter =
                new(() => result = (new ProcessCommand("cat") { StandardInput = InputSource.FromFile(fifo) }).Run());
            starter.Start();
            int child;
            while (!int.TryParse(Children(), out child) || !IsAsleep(child))
            {
                Thread.Sleep(1);
            }

            Expect.Equal(0, NativeMethods.Kill(child, SIGSTOP), "kill");
            Expect.Equal(
                0,
                new ProcessCommand("/bin/sh", "-c", "echo through >\"$1\"", "sh", fifo).Run().ExitCode,
                "exit code of the writer");
            starter.Join();
            Expect.Equal("through\n", result!.StandardOutput.Text, "standard output");
        }
        finally
        {
            File.Delete(fifo);
        }
    }

    private static string Children()
    {
        string all = "";
        foreach (string task in Directory.EnumerateDirectories("/proc/self/task"))
        {
            all += ProcFile.Read(Path.Combine(task, "children"));
        }

        return all.Trim();
    }

    private static bool IsAsleep(int processId)
    {
        string stat = ProcFile.Read($"/proc/{processId}/stat");
        return stat[(stat.LastIndexOf(')') + 1)..].StartsWith(" S", StringComparison.Ordinal);
    }
}
