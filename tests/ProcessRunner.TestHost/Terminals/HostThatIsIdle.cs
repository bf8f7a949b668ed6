using System;
using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost.Terminals;

/// <summary>
/// Runs a child and then stays idle: <c>READY</c>. The library watches for SIGHUP neither before the child nor some
/// time after it. The host then creates the file and sleeps.
/// </summary>
internal sealed class HostThatIsIdle : IScenario
{
    private const ulong HangUp = 1;

    public string Name => "host-that-is-idle";

    public void Play(string[] arguments)
    {
        Expect.Equal(false, IsHangUpHandled, "before the first child");
        for (int round = 0; round < 2; round++)
        {
            using (ChildProcess child = new ProcessCommand("sleep", "1000").Start())
            {
                Expect.Equal(true, IsHangUpHandled, "while a child lives");
            }

            while (IsHangUpHandled)
            {
                Thread.Sleep(10);
            }
        }

        File.WriteAllText(arguments[0], "");
        Thread.Sleep(Timeout.Infinite);
    }

    private static bool IsHangUpHandled
    {
        get
        {
            string caught = File.ReadLines("/proc/self/status").Single(
                line => line.StartsWith("SigCgt:", StringComparison.Ordinal));
            return (Convert.ToUInt64(caught[7..].Trim(), 16) & HangUp) != 0;
        }
    }
}
