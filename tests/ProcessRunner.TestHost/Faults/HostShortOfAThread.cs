using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Plays a host that gets no thread at first to watch for the signals that end it: <c>FILE</c>. It writes the id of its
/// only child into the file as soon as it watches, and waits to be killed.
/// </summary>
internal sealed class HostShortOfAThread : IScenario
{
    private const int EAGAIN = 11;

    // A reactor, the survey and the first delivery thread.
    private const int ThreadsOfAnEngine = 3;

    // As the kernel shortens the name.
    private const string ThreadName = "ProcessRunner h";

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);

    public string Name => "host-short-of-a-thread";

    public void Play(string[] arguments)
    {
        int threads = 0;
        FaultPoint.Decide = call =>
            call == "thread" && Interlocked.Increment(ref threads) > ThreadsOfAnEngine ? EAGAIN : 0;
        ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        ChildProcess child = new ProcessCommand("sleep", "1000").Start(engine);
        Expect.True(!Watches(), "there is no thread that watches");
        FaultPoint.Decide = null;
        Expect.True(SpinWait.SpinUntil(Watches, s_patience), "the signals are watched once there is a thread");
        string temporary = arguments[0] + ".new";
        File.WriteAllText(temporary, $"{child.ProcessId}");
        File.Move(temporary, arguments[0]);
        Thread.Sleep(Timeout.Infinite);
    }

    private static bool Watches() => HasThread() && CatchesHangUps();

    private static bool HasThread() =>
        Directory.EnumerateDirectories($"/proc/{Environment.ProcessId}/task").Any(task =>
        {
            try
            {
                return File.ReadAllText($"{task}/comm").TrimEnd('\n') == ThreadName;
            }
            catch (IOException)
            {
                return false;
            }
        });

    // SIGHUP, signal 1, is the last one that the thread gets a handler for. The runtime itself has none.
    private static bool CatchesHangUps()
    {
        const string Caught = "SigCgt:";
        string line = File.ReadLines("/proc/self/status")
            .Single(line => line.StartsWith(Caught, StringComparison.Ordinal));
        return (ulong.Parse(line[Caught.Length..], NumberStyles.HexNumber | NumberStyles.AllowLeadingWhite) & 1) != 0;
    }
}
