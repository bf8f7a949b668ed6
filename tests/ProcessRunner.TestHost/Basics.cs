using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace ProcessRunner.TestHost;

/// <summary>
/// What everybody needs of starts and stops, for environments where rights and means are taken away. With <c>escapees</c> those that
/// left for a session of their own are found as well, by stops and by the guardian of an engine; with <c>unsupported</c> no child
/// can be started, and every start says so.
/// </summary>
internal sealed class Basics : IScenario
{
    private static readonly TimeSpan s_generous = TimeSpan.FromSeconds(50);

    public string Name => "basics";

    public void Play(string[] arguments)
    {
        if (arguments.Contains("unsupported"))
        {
            NothingStarts();
            return;
        }

        Streams();
        Errors();
        Stops();
        Descendants();
        Batches();
        if (arguments.Contains("escapees"))
        {
            Escapees();
        }

        // Orphans come to process 1, and nobody reaps them there.
        Expect.True(Environment.ProcessId == 1 || !NativeMethods.HasChildren, "no child is left, not even a zombie");
    }

    private static ProcessCommand Shell(string script) => new("/bin/sh", "-c", script);

    private static void NothingStarts()
    {
        ProcessCommand command = new("/bin/true");
        Action[] ways =
        [
            () => command.Start().Dispose(),
            () => command.Run(),
            () => command.RunAsync().GetAwaiter().GetResult(),
            () => command.PipeTo(command).Run(),
            () => ProcessBatch.Run([command]).First().EnsureSuccess(),
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
            Expect.True(false, "what is not there cannot be started");
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
        using ChildProcess limited = (new ProcessCommand("sleep", "1000") { Timeout = TimeSpan.FromMilliseconds(50) }).Start();
        Expect.True(limited.TryWait(s_generous, out ProcessResult? result), "a limit holds");
        Expect.Equal(ProcessOutcome.TimedOut, result!.Outcome, "outcome of a limit");
    }

    private static ProcessResult StopOnceReady(string script, TimeSpan grace) => StopOnceReady(script, grace, out _);

    // It is ready once it has written a line.
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

    // They hold the output as long as they live.
    private static void Descendants()
    {
        ProcessCommand command = Shell("sleep 1000 & exit 7") with { Descendants = DescendantPolicy.KillAlways, DrainGrace = s_generous };
        ProcessResult result = command.Run();
        Expect.Equal(7, result.ExitCode, "exit code");
        Expect.True(!result.StandardOutput.IsHeldOpen, "what a child leaves in its group is killed");
        using ChildProcess child = (Shell("sleep 1000 & sleep 1000 & wait") with { DrainGrace = s_generous }).Start();
        Expect.True(!child.Stop(TimeSpan.Zero).StandardOutput.IsHeldOpen, "a stop ends the group");
    }

    private static void Batches()
    {
        const int Count = 50;
        int[] codes = [.. ProcessBatch.Run(Enumerable.Range(0, Count).Select(i => Shell($"exit {i}")))
            .Select(one => one.Result!.ExitCode!.Value).Order()];
        Expect.True(codes.SequenceEqual(Enumerable.Range(0, Count)), $"each has its exit code: {string.Join(' ', codes)}");
    }

    private static void Escapees()
    {
        // Its number is there once it has a session of its own, and the output ends once it has let it go.
        const string Leaving = "setsid sh -c 'echo $$; exec sleep 1000 >/dev/null 2>&1' & ";
        ProcessCommand leaving = Shell(Leaving + "exit 7") with { Descendants = DescendantPolicy.Leave, DrainGrace = s_generous };
        string escapee;
        using (ProcessEngine engine = new(new ProcessEngineOptions { KillChildrenOnExit = true }))
        {
            escapee = leaving.Run(engine).StandardOutput.Text.TrimEnd();
            Expect.True(IsAlive(escapee), "it was left alone");
        }

        Expect.True(!IsAlive(escapee), "the guardian finds it");
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
