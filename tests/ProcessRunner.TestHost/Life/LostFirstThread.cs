using System;
using System.Globalization;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Ends its first thread alone (pthread_exit(3)), writes its process id to a file once that is so, and lives on without
/// end. The argument is the file.
/// </summary>
internal sealed class LostFirstThread : IScenario
{
    public string Name => "lost-first-thread";

    public void Play(string[] arguments)
    {
        new Thread(() => Survive(arguments[0])).Start();

        // The system call, because pthread_exit would unwind the runtime's frames.
        NativeMethods.SystemCall(RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? 93 : 60, 0);
    }

    private static void Survive(string file)
    {
        string stat;
        do
        {
            Thread.Sleep(1);
            stat = File.ReadAllText("/proc/self/stat");
        }
        while (stat[stat.LastIndexOf(')') + 2] != 'Z');

        File.WriteAllText(file + ".new", Environment.ProcessId.ToString(CultureInfo.InvariantCulture));
        File.Move(file + ".new", file);
        Thread.Sleep(Timeout.Infinite);
    }
}
