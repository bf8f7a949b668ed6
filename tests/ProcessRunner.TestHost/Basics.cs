using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies the basics of starts and stops, for environments without certain rights and facilities. With
/// <c>escapees</c>, stops and the guardian of an engine also find descendants in their own sessions. With
/// <c>portable</c>, the native backend reports that it cannot start a child, and the portable one takes its place.
/// </summary>
internal sealed class Basics : IScenario
{
    private static readonly TimeSpan s_generous = TimeSpan.FromSeconds(50);

    public string Name => "basics";

    public void Play(string[] arguments)
    {
        bool isPortable = arguments.Contains("portable");
        Expect.Equal(
            isPortable ? EngineBackend.Portable : EngineBackend.Native, ProcessEngine.Shared.Backend, "the backend");
        if (isPortable)
        {
            NothingStarts();
        }

        Streams();
        Errors();
        Stops();
        if (!isPortable)
        {
            Descendants();
        }

        Batches();
        if (arguments.Contains("escapees"))
        {
            Escapees();
        }

        // Process 1 receives orphans, and nothing reaps them there.
        Expect.True(Environment.ProcessId == 1 || !NativeMethods.HasChildren, "no child is left, not even a zombie");
    }

    private static ProcessCommand Shell(string script) => new("/bin/sh", "-c", script);

    private static void NothingStarts()
    {
        ProcessCommand command = new("/bin/true");
        using ProcessEngine native = new(new ProcessEngineOptions { Backend = EngineBackend.Native });
        Action[] ways =
        [
            () => command.Start(native).Dispose(),
            () => command.Run(native),
            () => command.RunAsync(native).GetAwaiter().GetResult(),
            () => command.PipeTo(command).Run(native),
            () => ProcessBatch.Enumerate([command], new BatchOptions { Engine = native }).First().EnsureSuccess(),
        ];
        foreach (Action way in ways)
        {
            try
            {
                way();
                Expect.True(false, "nothing can be started here");
            }
            catch (PlatformNotSupportedException exception)
            {
                Expect.True(exception.Message.Contains("seccomp"), $"the message names the cause: {exception.Message}");
            }
        }

        Expect.True(!NativeMethods.HasChildren, "nothing was started");
    }

    private static void Streams()
    {
        ProcessResult result = Shell("echo out; echo error >&2; exit 7").Run();
        Expect.Equal(7, result.ExitCode, "exit code");
        Expect.Equal("out\n", result.StandardOutput.Text, "output");
        Expect.Equal("error\n", result.StandardError.Text, "error output");
        string input = new('x', 300_000);
        result = (new ProcessCommand("cat") { StandardInput = InputSource.FromText(input) }).Run();
        Expect.True(result.StandardOutput.Text == input, "all that was written came back");
        result = (new ProcessCommand("pwd") { WorkingDirectory = "/" }).Run();
        Expect.Equal("/\n", result.StandardOutput.Text, "directory");
    }

    private static void Errors()
    {
        try
        {
            new ProcessCommand("/no/such/program").Run();
            Expect.True(false, "a missing program cannot be started");
        }
        catch (ProcessStartException exception)
        {
            Expect.Equal(2, exception.NativeErrorCode, "the error, ENOENT");
        }
    }

    private static void Stops()
    {
        ProcessResult polite = StopOnceReady("trap 'exit 5' TERM; echo; while :; do sleep 0.01; done", s_generous);
        Expect.Equal(5, polite.ExitCode, "exit code of a child that was given time");
        ProcessResult stubborn = StopOnceReady("trap '' TERM; echo; exec sleep 1000", TimeSpan.FromMilliseconds(50));
        Expect.Equal(9, stubborn.SignalNumber, "signal of a child that wants more of it");
        using ChildProcess limited =
            (new ProcessCommand("sleep", "1000") { Timeout = TimeSpan.FromMilliseconds(50) }).Start();
        Expect.True(limited.TryWait(s_generous, out ProcessResult? result), "a limit holds");
        Expect.Equal(ProcessOutcome.TimedOut, result!.Outcome, "outcome of a limit");
    }

    private static ProcessResult StopOnceReady(string script, TimeSpan grace) => StopOnceReady(script, grace, out _);

    // The child is ready once it has written a line.
    private static ProcessResult StopOnceReady(string script, TimeSpan grace, out string line)
    {
        using ChildProcess child = (Shell(script) with { StandardOutput = OutputTarget.Live() }).Start();
        using IEnumerator<OutputLine> lines = child.ReadLines(keepRunning: true).GetEnumerator();
        Expect.True(lines.MoveNext(), "it is ready");
        line = lines.Current.Content;
        ProcessResult result = child.Stop(grace);
        Expect.Equal(ProcessOutcome.Canceled, result.Outcome, "outcome of a stop");
        return result;
    }

    // The descendants hold the output as long as they live.
    private static void Descendants()
    {
        ProcessCommand command =
            Shell("sleep 1000 & exit 7") with { Descendants = DescendantPolicy.KillAlways, DrainGrace = s_generous };
        ProcessResult result = command.Run();
        Expect.Equal(7, result.ExitCode, "exit code");
        Expect.True(!result.StandardOutput.IsHeldOpen, "descendants in the group of a child are killed");
        using ChildProcess child = (Shell("sleep 1000 & sleep 1000 & wait") with { DrainGrace = s_generous }).Start();
        Expect.True(!child.Stop(TimeSpan.Zero).StandardOutput.IsHeldOpen, "a stop ends the group");
    }

    private static void Batches()
    {
        const int Count = 50;
        int[] codes = [.. ProcessBatch.Enumerate(Enumerable.Range(0, Count).Select(i => Shell($"exit {i}")))
            .Select(one => one.Result!.ExitCode!.Value).Order()];
        Expect.True(
            codes.SequenceEqual(Enumerable.Range(0, Count)), $"each has its exit code: {string.Join(' ', codes)}");
    }

    private static void Escapees()
    {
        // The descendant writes its number after it has entered its own session. The output ends once the descendant
        // has released it.
        const string Leaving = "setsid sh -c 'echo $$; exec sleep 1000 >/dev/null 2>&1' & ";
        ProcessCommand leaving =
            Shell(Leaving + "exit 7") with { Descendants = DescendantPolicy.Leave, DrainGrace = s_generous };
        string escapee;
        using (ProcessEngine engine = new(new ProcessEngineOptions { KillChildrenOnExit = true }))
        {
            escapee = leaving.Run(engine).StandardOutput.Text.TrimEnd();
            Expect.True(IsAlive(escapee), "it was left alone");
        }

        // The guardian ends after its kills, not after the processes.
        Expect.True(SpinWait.SpinUntil(() => !IsAlive(escapee), s_generous), "the guardian finds it");
        _ = StopOnceReady(Leaving + "wait", s_generous, out escapee);
        Expect.True(!IsAlive(escapee), "a stop finds it");
    }

    private static bool IsAlive(string processId)
    {
        try
        {
            string stat = File.ReadAllText($"/proc/{int.Parse(processId)}/stat");
            return stat[stat.LastIndexOf(')') + 2] is not ('Z' or 'X');
        }
        catch (IOException)
        {
            return false;
        }
    }
}
