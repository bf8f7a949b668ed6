using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using ProcessRunner.Faults;

namespace ProcessRunner.TestHost.Terminals;

/// <summary>
/// Plays a host with children for a signal to end: <c>DIRECTORY HANDLER [OPTION...]</c>. The host starts trees of every
/// kind, creates the file <c>ready</c> while they grow (a file for each tree contains the id of its root), and sleeps.
/// With a handler that cancels the signal's effect, it creates the file <c>handled</c> and returns once the file
/// <c>return</c> exists. Options: <c>live-on</c>: its children outlive it; <c>parked</c>: the pool has no free thread
/// until the file <c>unpark</c> exists; <c>forward</c>: the engine option of that name; <c>no-writable-code</c>:
/// written memory never becomes executable; <c>detached</c>: one child is detached; <c>idle</c>: the host waits until
/// the children have ended.
/// </summary>
internal sealed class HostOfTrees : IScenario
{
    private const string Tree = "setsid sleep 1000 & (sleep 1000 & exec sleep 1000) & echo $$ >\"$1\"; exec sleep 1000";
    private const string Group = "trap '' INT; (sleep 1000 & exec sleep 1000) & echo $$ >\"$1\"; wait; exec sleep 1000";
    private const string Bare = "trap '' INT; sleep 1000 & echo $$ >\"$1\"; exec env -i sleep 1000";

    private static readonly List<PosixSignalRegistration> s_registrations = [];

    public string Name => "host-of-trees";

    public void Play(string[] arguments)
    {
        string directory = arguments[0];
        string[] options = arguments[2..];
        if (arguments[1].StartsWith("early-", StringComparison.Ordinal))
        {
            Handle(arguments[1], directory);
        }

        if (options.Contains("no-writable-code"))
        {
            const int EACCES = 13;
            FaultPoint.Decide = call => call == "mprotect" ? EACCES : 0;
        }

        ProcessEngine engine = new(new ProcessEngineOptions
        {
            KillChildrenOnSignal = !options.Contains("live-on"),
            ForwardInterrupt = options.Contains("forward"),
        });
        List<ChildProcess> children = [];
        foreach (ProcessCommand command in Commands(directory))
        {
            children.Add(command.Start(engine));
        }

        if (options.Contains("detached"))
        {
            children.ForEach(child => child.Detach());
        }

        if (arguments[1].StartsWith("late-", StringComparison.Ordinal))
        {
            Handle(arguments[1], directory);
        }

        if (options.Contains("parked"))
        {
            Park(Path.Combine(directory, "unpark"));
        }

        // The shell creates the file before it writes the id.
        WaitFor(() => Enumerable.Range(0, children.Count).All(number =>
            new FileInfo(Path.Combine(directory, $"tree.{number}")) is { Exists: true, Length: > 0 }));
        File.WriteAllText(Path.Combine(directory, "ready"), "");
        if (options.Contains("idle"))
        {
            children.ForEach(child => child.Wait());
            File.WriteAllText(Path.Combine(directory, "idle"), "");
        }

        WaitFor(() => File.Exists(Path.Combine(directory, "return")));
    }

    private static IEnumerable<ProcessCommand> Commands(string directory)
    {
        int number = 0;
        foreach (ProcessGroupMode mode in Enum.GetValues<ProcessGroupMode>())
        {
            yield return In(Tree) with { GroupMode = mode };
            yield return In(Tree) with { GroupMode = mode, Descendants = DescendantPolicy.KillAlways };
            yield return In(mode == ProcessGroupMode.Inherit ? "echo $$ >\"$1\"; exec sleep 1000" : Group) with
            {
                GroupMode = mode,
                Descendants = DescendantPolicy.Leave,
            };
        }

        yield return In(Bare);
        yield return In(Group) with { StandardInput = InputSource.Inherit };

        ProcessCommand In(string script) => new(
            "/bin/sh", "-c", script, "sh", Path.Combine(directory, $"tree.{number++}"));
    }

    private static void Handle(string handler, string directory)
    {
        string kind = handler[(handler.IndexOf('-', StringComparison.Ordinal) + 1)..];
        if (kind == "console")
        {
            Console.CancelKeyPress += (_, arguments) =>
            {
                arguments.Cancel = true;
                File.WriteAllText(Path.Combine(directory, "handled"), "");
            };
            return;
        }

        PosixSignal[] signals = [PosixSignal.SIGINT, PosixSignal.SIGQUIT, PosixSignal.SIGTERM, PosixSignal.SIGHUP];
        foreach (PosixSignal signal in signals)
        {
            s_registrations.Add(PosixSignalRegistration.Create(signal, context =>
            {
                context.Cancel = kind == "cancel";
                File.WriteAllText(Path.Combine(directory, "handled"), "");
                if (kind == "exit")
                {
                    Environment.Exit(5);
                }
            }));
        }
    }

    private static void Park(string until)
    {
        ThreadPool.SetMinThreads(2, 1);
        ThreadPool.SetMaxThreads(2, 1);
        using CountdownEvent parked = new(2);
        for (int i = 0; i < 2; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    parked.Signal();
                    WaitFor(() => File.Exists(until));
                },
                null);
        }

        parked.Wait();
    }

    private static void WaitFor(Func<bool> condition)
    {
        while (!condition())
        {
            Thread.Sleep(10);
        }
    }
}
