using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;

namespace ProcessRunner.PortableCheck;

/// <summary>Contains the checks. Each throws if it fails.</summary>
internal static class Checks
{
    private const int ManyBytes = 5_000_000;

    /// <summary>Gets all checks with their names.</summary>
    public static IReadOnlyList<(string Name, Action Check)> All { get; } =
    [
        ("the backend is the portable one", () => Equal(EngineBackend.Portable, ProcessEngine.Shared.Backend)),
        ("exit codes", () => Equal(3, Self("return", "3").Run().ExitCode)),
        ("both outputs", BothOutputs),
        ("merged outputs", MergedOutputs),
        ("large output", () => Equal(ManyBytes, Self("fill", $"{ManyBytes}").Run().StandardOutput.TotalBytes)),
        ("large input", LargeInput),
        ("input at its end at once", () => Equal("", Self("copy").Run().StandardOutput.Text)),
        ("arguments", Arguments),
        ("environment", Environments),
        ("working directory", WorkingDirectories),
        ("missing programs", MissingPrograms),
        ("files", Files),
        ("pipelines", Pipelines),
        ("time limits", TimeLimits),
        ("kills of trees", KillsOfTrees),
        ("stops", Stops),
        ("lines", Lines),
        ("dialogues", Dialogues),
        ("spilled captures", SpilledCaptures),
        ("batches", Batches),
        ("parallel loops with a parked pool", ParallelLoops),
        ("disposal of an engine", Disposal),
        ("signals and groups that the system lacks", Refusals),
    ];

    private static ProcessCommand Self(params string[] words) => new(Environment.ProcessPath!, words);

    private static void Equal<T>(T expected, T actual)
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual))
        {
            throw new InvalidOperationException($"expected '{expected}', but it is '{actual}'");
        }
    }

    private static void BothOutputs()
    {
        ProcessResult result = Self("out", "o", "error", "e").Run();
        Equal(("o", "e"), (result.StandardOutput.Text, result.StandardError.Text));
    }

    private static void MergedOutputs()
    {
        ProcessCommand command = Self("out", "o", "error", "e") with { StandardError = OutputTarget.MergeIntoOutput };
        Equal("eo", string.Concat(command.Run().StandardOutput.Text.Order()));
    }

    private static void LargeInput()
    {
        byte[] bytes = new byte[ManyBytes];
        new Random(1).NextBytes(bytes);
        ProcessResult result = (Self("copy") with { StandardInput = InputSource.FromBytes(bytes) }).Run();
        using MemoryStream copy = new();
        foreach (ReadOnlyMemory<byte> piece in result.StandardOutput.Bytes)
        {
            copy.Write(piece.Span);
        }

        Equal(true, copy.ToArray().AsSpan().SequenceEqual(bytes));
    }

    private static void Arguments()
    {
        string[] words = ["a b", "c\"d", "e\\", "", "f\\\"g", "ü€😀"];
        Equal(string.Join('|', words), Self(["words", .. words]).Run().StandardOutput.Text);
    }

    private static void Environments()
    {
        ProcessCommand command = Self("variable", "GREETING");
        Equal("none", command.Run().StandardOutput.Text);
        Dictionary<string, string?> changes = new() { ["GREETING"] = "grüß dich" };
        Equal("grüß dich", (command with { Environment = changes }).Run().StandardOutput.Text);
    }

    private static void WorkingDirectories()
    {
        string directory = Path.GetFullPath(Path.Combine(AppContext.BaseDirectory, ".."));
        string actual = (Self("directory") with { WorkingDirectory = directory }).Run().StandardOutput.Text;
        Equal(new DirectoryInfo(directory).Name, new DirectoryInfo(actual).Name);
        Equal(
            ProcessStartStep.BadDirectory,
            FailureOf(Self("directory") with { WorkingDirectory = Path.Combine(directory, "missing") }));
    }

    private static void MissingPrograms()
    {
        Equal(ProcessStartStep.NotFound, FailureOf(new ProcessCommand("no-such-program")));
        Equal(
            ProcessStartStep.NotFound,
            FailureOf(new ProcessCommand(Path.Combine(AppContext.BaseDirectory, "no-such-program"))));
    }

    private static ProcessStartStep? FailureOf(ProcessCommand command)
    {
        try
        {
            command.Run();
            return null;
        }
        catch (ProcessStartException exception)
        {
            return exception.Step;
        }
    }

    private static void Files()
    {
        string path = Path.GetTempFileName();
        try
        {
            (Self("out", "1") with { StandardOutput = OutputTarget.ToFile(path) }).Run().EnsureSuccess();
            (Self("out", "2") with { StandardOutput = OutputTarget.ToFile(path, append: true) }).Run().EnsureSuccess();
            Equal("12", File.ReadAllText(path));
            Equal("12", (Self("copy") with { StandardInput = InputSource.FromFile(path) }).Run().StandardOutput.Text);
        }
        finally
        {
            File.Delete(path);
        }

        Equal(
            ProcessStartStep.BadStreamFile,
            FailureOf(Self("copy") with { StandardInput = InputSource.FromFile(path) }));
    }

    private static void Pipelines()
    {
        PipelineResult result = Self("fill", "1000000").PipeTo(Self("copy")).PipeTo(Self("copy")).Run();
        Equal(1_000_000, result.StandardOutput.TotalBytes);
    }

    private static void TimeLimits()
    {
        ProcessCommand command = Self("out", "begun", "sleep", "1000000") with { Timeout = TimeSpan.FromSeconds(2) };
        ProcessResult result = command.Run();
        Equal((ProcessOutcome.TimedOut, "begun"), (result.Outcome, result.StandardOutput.Text));
    }

    private static void KillsOfTrees()
    {
        ProcessCommand command = Self("spawn", "sleep 1000000", "sleep", "1000000") with
        {
            StandardOutput = OutputTarget.Live(),
        };
        using ChildProcess child = command.Start();
        int descendant = int.Parse(child.ReadLines(keepRunning: true).First().Content, CultureInfo.InvariantCulture);
        child.Kill();
        Equal(ProcessOutcome.Canceled, child.Wait().Outcome);
        SpinWait.SpinUntil(() => !IsAlive(descendant), TimeSpan.FromSeconds(30));
        Equal(false, IsAlive(descendant));
    }

    private static bool IsAlive(int processId)
    {
        try
        {
            using Process process = Process.GetProcessById(processId);
            return !process.HasExited;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    private static void Stops()
    {
        using ChildProcess child = Self("sleep", "1000000").Start();
        Equal(ProcessOutcome.Canceled, child.Stop().Outcome);
        Equal(0, ProcessEngine.Shared.LiveChildren);
    }

    private static void Lines()
    {
        List<string> lines = [];
        ProcessCommand command = Self("out", string.Join('\n', Enumerable.Range(0, 1000))) with
        {
            StandardOutput = OutputTarget.ToLines(line => lines.Add(line.Content)),
        };
        command.Run().EnsureSuccess();
        Equal(true, lines.SequenceEqual(Enumerable.Range(0, 1000).Select(i => $"{i}")));
    }

    private static void Dialogues()
    {
        ProcessCommand command = Self("copy") with
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.Live(),
        };
        using ChildProcess child = command.Start();
        using IEnumerator<OutputLine> lines = child.ReadLines().GetEnumerator();
        for (int i = 0; i < 20; i++)
        {
            child.StandardInput!.Write(Encoding.UTF8.GetBytes($"line {i}\n"));
            Equal(true, lines.MoveNext());
            Equal($"line {i}", lines.Current.Content);
        }

        child.StandardInput!.Close();
        Equal(false, lines.MoveNext());
    }

    private static void SpilledCaptures()
    {
        ProcessCommand command = Self("fill", "3000000") with
        {
            StandardOutput = OutputTarget.Capture(1000, CapturePolicy.SpillToFile),
        };
        ProcessResult result = command.Run();
        Equal(3_000_000, result.StandardOutput.Bytes.Length);
    }

    private static void Batches() =>
        Equal(
            Enumerable.Range(0, 40).Sum(),
            ProcessBatch.Run(Enumerable.Range(0, 40).Select(i => Self("return", $"{i}")))
                .Sum(result => result.Result!.ExitCode!.Value));

    // Every worker of the pool sleeps until the children have ended.
    private static void ParallelLoops()
    {
        ManualResetEventSlim isOver = new();
        ThreadPool.GetMaxThreads(out _, out int ports);
        ThreadPool.SetMaxThreads(Environment.ProcessorCount, ports);
        for (int i = 0; i < Environment.ProcessorCount * 2; i++)
        {
            ThreadPool.QueueUserWorkItem(_ => isOver.Wait());
        }

        long bytes = 0;
        Thread[] callers = [.. Enumerable.Range(0, 8).Select(i => new Thread(() =>
        {
            ProcessCommand command = Self("fill", "300000");
            long sum = command.Run().StandardOutput.TotalBytes
                + command.RunAsync().GetAwaiter().GetResult().StandardOutput.TotalBytes;
            Interlocked.Add(ref bytes, sum);
        }))];
        Array.ForEach(callers, caller => caller.Start());
        Array.ForEach(callers, caller => caller.Join());
        isOver.Set();
        Equal(8 * 2 * 300_000, bytes);
    }

    private static void Disposal()
    {
        ProcessEngine engine = new();
        ChildProcess child = Self("sleep", "1000000").Start(engine);
        engine.Dispose();
        Equal(ProcessOutcome.Canceled, child.Wait().Outcome);
        child.Dispose();
    }

    private static void Refusals()
    {
        using ChildProcess child = Self("sleep", "1000000").Start();
        if (OperatingSystem.IsWindows())
        {
            Equal(true, Throws<PlatformNotSupportedException>(() => child.Signal(PosixSignal.SIGTERM)));
        }

        Equal(true, Throws<PlatformNotSupportedException>(
            () => (Self("return", "0") with { GroupMode = ProcessGroupMode.Own }).Run()));
        child.Kill();
    }

    private static bool Throws<T>(Action action)
        where T : Exception
    {
        try
        {
            action();
            return false;
        }
        catch (T)
        {
            return true;
        }
    }
}
