using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;
using ProcessRunner.TestSupport;

namespace ProcessRunner.BackendCheck;

/// <summary>Contains the checks. Each throws if it fails.</summary>
internal static partial class Checks
{
    private const int ManyBytes = 20_000_000;

    private static readonly bool s_isNative = ProcessEngine.Shared.Backend == EngineBackend.Native;

    private static readonly bool s_isWine = OperatingSystem.IsWindows()
        && NativeLibrary.TryGetExport(NativeLibrary.Load("ntdll"), "wine_get_version", out _);

    /// <summary>Gets all checks with their names.</summary>
    public static IReadOnlyList<(string Name, Action Check)> All { get; } =
    [
        ("the backend is the one that was asked for", () => Equal(
            AppContext.TryGetSwitch("ProcessRunner.UsePortableBackend", out bool isPortable) && isPortable
                ? EngineBackend.Portable
                : EngineBackend.Native,
            ProcessEngine.Shared.Backend)),
        ("exit codes", () => Equal(3, Self("return", "3").Run().ExitCode)),
        ("children without work items of the pool", NoWorkItems),
        ("both outputs", BothOutputs),
        ("merged outputs", MergedOutputs),
        ("20 MB on each output", LargeOutputs),
        ("10 MB of input", LargeInput),
        ("input at its end at once", () => Equal("", Self("copy").Run().StandardOutput.Text)),
        ("arguments", Arguments),
        ("environment", Environments),
        ("working directory", WorkingDirectories),
        ("missing programs", MissingPrograms),
        ("files", Files),
        ("pipelines", Pipelines),
        ("pipelines whose first stage writes nothing at first", QuietPipelines),
        ("time limits", TimeLimits),
        ("kills of trees", KillsOfTrees),
        ("stops", Stops),
        ("lines", Lines),
        ("dialogues", Dialogues),
        ("spilled captures", SpilledCaptures),
        ("ends before the input or the output has ended", EarlyEnds),
        ("limits of output", OutputLimits),
        ("receivers that block", SlowReceivers),
        ("streams that a descendant holds", HeldPipes),
        ("batch files", BatchFiles),
        ("crashes", Crashes),
        ("kills of a child that has ended", LateKills),
        ("limits that pass at the exit", LateLimits),
        ("descendants that are left behind", LeftDescendants),
        ("children end with their host", EndsOfHosts),
        ("batches", Batches),
        ("batches of many", LargeBatches),
        ("blocked calls in parallel loops", ParallelLoops),
        ("calls with a parked pool", ParkedPool),
        ("many live children on few threads", ManyAlive),
        ("handles that other children have", InheritedHandles),
        ("channels", Channels),
        ("handles that a child gets", PassedHandles),
        ("two engines", TwoEngines),
        ("tokens of make", JobTokens),
        ("disposal of an engine", Disposal),
        ("disposal of an engine during starts", DisposalDuringStarts),
        ("handles", Handles),
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

    private static void LargeOutputs()
    {
        ProcessResult result = Self("fillBoth", $"{ManyBytes}").Run();
        Equal(0, result.ExitCode);
        Equal(true, Pattern.Matches(result.StandardOutput, ManyBytes));
        Equal(true, Pattern.Matches(result.StandardError, ManyBytes));
    }

    private static void LargeInput()
    {
        byte[] bytes = Pattern.Create(ManyBytes / 2);
        ProcessResult result = (Self("copy") with { StandardInput = InputSource.FromBytes(bytes) }).Run();
        Equal(true, Pattern.Matches(result.StandardOutput, bytes.Length));
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
        Equal(true, Pattern.Matches(result.StandardOutput, 1_000_000));

        // The last stage ends early; the one before it then fails to write, or ends by a signal.
        PipelineResult early = Self("fill", "10000000").PipeTo(Self("take", "1000")).Run();
        Equal(true, Pattern.Matches(early.StandardOutput, 1000));
    }

    private static void TimeLimits()
    {
        LongerLimits.Until(limit =>
        {
            ProcessResult result = (Self("out", "begun", "sleep", "1000000") with { Timeout = limit }).Run();
            Equal((ProcessOutcome.TimedOut, "begun"), (result.Outcome, result.StandardOutput.Text));
        });
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
        SpinWait.SpinUntil(() => !IsAlive(descendant), TimeSpan.FromMinutes(5));
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

    // SIGUSR1 has no name in .NET, and Windows does not know it.
    private static void Refusals()
    {
        using ChildProcess child = Self("sleep", "1000000").Start();
        if (OperatingSystem.IsWindows())
        {
            Equal(true, Throws<PlatformNotSupportedException>(() => child.Signal((PosixSignal)10)));
        }

        Equal(!s_isNative, Throws<PlatformNotSupportedException>(
            () => (Self("return", "0") with { GroupMode = ProcessGroupMode.Own }).Run()));
        Equal(!s_isNative, Throws<PlatformNotSupportedException>(
            () => (Self("return", "0") with { Descendants = DescendantPolicy.KillAlways }).Run()));
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
