using System;
using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Plays a host whose engine kills its children at the host's end, with children that are hard to find: <c>DIRECTORY
/// KIND COUNT WAY</c>. The way is <c>clone</c> or <c>posix_spawn</c>. Files in the directory contain the ids. The host
/// creates the file <c>ready</c> and sleeps until it is killed.
/// </summary>
internal sealed class HostOfHiddenChildren : IScenario
{
    // Each process has cleared its environment and is in the group of its child.
    private const string Group =
        "env -i sh -c 'echo $$ >\"$0\"; exec sleep 1000' \"$1.member\" & "
        + "exec env -i sh -c 'echo $$ >\"$0\"; exec sleep 1000' \"$1\"";

    // The parents of the process have ended, and it leads its own session, in which another process has no mark.
    private const string TwiceForked =
        "(setsid sh -c 'env -i sh -c '\\''echo $$ >\"$0\"; exec sleep 1000'\\'' \"$0.member\" & "
        + "echo $$ >\"$0\"; exec sleep 1000' \"$1\" &); exec sleep 1000";

    // The name contains a line break and text that resembles the fields after it.
    private const string Renamed = "exec env -i \"$1 bin) R 1\" 1000";

    // The process has its own session, and its environment is visible only in its other threads.
    private const string WithoutFirstThread =
        "setsid \"$2\" lost-first-thread /dev/null \"$1\" & exec sleep 1000";

    public string Name => "host-of-hidden-children";

    public void Play(string[] arguments)
    {
        string directory = arguments[0];
        string kind = arguments[1];
        int count = int.Parse(arguments[2]);
        AppContext.SetSwitch("ProcessRunner.UsePosixSpawn", arguments[3] == "posix_spawn");
        Environment.SetEnvironmentVariable("PATH", $"{directory}:{Environment.GetEnvironmentVariable("PATH")}");
        ProcessEngine engine = new(new ProcessEngineOptions { KillChildrenOnExit = true });

        // The children of the first start, the self-test's child and the guardian, must not be counted below.
        new ProcessCommand("true").Run(engine);
        int pending = 0;
        for (int number = 0; number < count; number++)
        {
            string file = Path.Combine(directory, $"child.{number}");
            ProcessCommand command = kind switch
            {
                "group" => Shell(Group, file),
                "twice-forked" => Shell(TwiceForked, file),
                "without-first-thread" => Shell(WithoutFirstThread, file).WithArguments(Environment.ProcessPath!),
                "renamed" => Shell(Renamed, Path.Combine(directory, "new\nname")),
                "detached" => Shell(Group, file),
                "starting" => new ProcessCommand("sleep", "1000")
                {
                    StandardInput = InputSource.FromFile(Path.Combine(directory, "fifo")),
                },
                _ => throw new ArgumentException(kind),
            };
            if (kind == "starting")
            {
                new Thread(() => command.Start(engine)) { IsBackground = true }.Start();
                pending++;
                continue;
            }

            ChildProcess child = command.Start(engine);
            if (kind == "renamed")
            {
                File.WriteAllText(file, $"{child.ProcessId}");
            }
            else if (kind == "detached")
            {
                child.Detach();
            }
        }

        SpinWait.SpinUntil(() => HalfMade(directory) == pending);
        File.WriteAllText(Path.Combine(directory, "ready"), "");
        Thread.Sleep(Timeout.Infinite);
    }

    private static ProcessCommand Shell(string script, string file) => new("/bin/sh", "-c", script, "sh", file);

    // Finds the children that open the FIFO, and returns their number.
    private static int HalfMade(string directory)
    {
        int count = 0;
        foreach (string task in Directory.EnumerateDirectories("/proc/self/task"))
        {
            string children = ProcFile.Read(Path.Combine(task, "children"));
            foreach (string child in children.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            {
                string line = ProcFile.Read($"/proc/{child}/cmdline");
                if (line.Contains("host-of-hidden-children", StringComparison.Ordinal)
                    && ProcFile.Read($"/proc/{child}/stat").Split(") ").Last().StartsWith('S'))
                {
                    File.WriteAllText(Path.Combine(directory, $"child.{count++}"), child);
                }
            }
        }

        return count;
    }
}
