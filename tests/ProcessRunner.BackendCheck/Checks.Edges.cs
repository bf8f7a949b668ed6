using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.IO.Pipes;
using System.Linq;
using System.Threading;

namespace ProcessRunner.BackendCheck;

/// <summary>The checks of what happens at the edges: early ends, limits, slow receivers, streams of others.</summary>
internal static partial class Checks
{
    // Both stages use the streams of Console. On Windows it writes zero bytes to see whether it has an output, here
    // while the second stage reads.
    private static void QuietPipelines()
    {
        using GatedStream gate = new("x"u8.ToArray());
        ProcessCommand first = Self("copy") with { StandardInput = InputSource.FromStream(gate) };
        ProcessCommand second = Self("error", "reads\n", "copy") with
        {
            StandardError = OutputTarget.ToLines(_ => gate.Open()),
        };
        PipelineResult result = first.PipeTo(second).Run();
        Equal("x", result.StandardOutput.Text);
    }

    // A handle of this process that any child may inherit, and children that others start at the same time.
    private static void InheritedHandles()
    {
        const int Starters = 32;
        using AnonymousPipeServerStream ours = new(PipeDirection.In, HandleInheritability.Inheritable);
        List<ChildProcess> children = [];
        Thread[] starters = [.. Enumerable.Range(0, Starters).Select(_ => new Thread(() =>
        {
            ChildProcess child = (SmallReader() with { StandardOutput = OutputTarget.Null }).Start();
            string text = Self("out", "x").Run().StandardOutput.Text;
            lock (children)
            {
                children.Add(text == "x" ? child : throw new InvalidOperationException(text));
            }
        }))];
        Array.ForEach(starters, starter => starter.Start());
        Array.ForEach(starters, starter => starter.Join());
        ours.DisposeLocalCopyOfClientHandle();
        if (s_isNative)
        {
            Equal(-1, ours.ReadByte());
        }

        children.ForEach(child => child.StandardInput.Close());
        Equal(Starters, children.Count(child => child.Wait().Outcome == ProcessOutcome.Exited));
        children.ForEach(child => child.Dispose());
    }

    private static void EarlyEnds()
    {
        ProcessCommand deaf = Small(3) with { StandardInput = InputSource.FromBytes(new byte[ManyBytes]) };
        Equal(3, deaf.Run().ExitCode);

        // The reader of live lines leaves in the middle of 60 MB.
        ProcessCommand talker = Self("fill", $"{3 * ManyBytes}") with { StandardOutput = OutputTarget.Live() };
        using (ChildProcess child = talker.Start())
        {
            foreach (OutputLine _ in child.ReadLines().Take(100))
            {
            }

            Equal(ProcessOutcome.Canceled, child.Wait().Outcome);
        }

        using (ChildProcess child = talker.Start())
        {
            Equal(true, child.ReadLines(keepRunning: true).Any());
        }

        Equal(0, ProcessEngine.Shared.LiveChildren);
    }

    private static void OutputLimits()
    {
        const int Kept = 10_000;
        ProcessCommand command = Self("fill", $"{3 * ManyBytes}");
        CapturedOutput ends =
            (command with { StandardOutput = OutputTarget.Capture(Kept) }).Run().StandardOutput;
        Equal((3L * ManyBytes, (long)Kept, true), (ends.TotalBytes, ends.Bytes.Length, ends.IsTruncated));
        byte[] bytes = new byte[Kept];
        ends.OpenRead().ReadExactly(bytes);
        Equal(true, Enumerable.Range(0, Kept / 2).All(i => bytes[i] == Pattern.At(i)
            && bytes[^(i + 1)] == Pattern.At((3L * ManyBytes) - i - 1)));
        Equal(
            ProcessOutcome.OutputLimitExceeded,
            (command with { StandardOutput = OutputTarget.Capture(Kept, CapturePolicy.Fail) }).Run().Outcome);
    }

    // A receiver that blocks holds up its own child, and no other one.
    private static void SlowReceivers()
    {
        using ManualResetEventSlim isOver = new();
        using ManualResetEventSlim hasBegun = new();
        long bytes = 0;
        ProcessCommand talker = Self("fill", $"{ManyBytes}") with
        {
            StandardOutput = OutputTarget.ToBytes(chunk =>
            {
                hasBegun.Set();
                isOver.Wait();
                bytes += chunk.Length;
            }),
        };
        using ChildProcess slow = talker.Start();
        hasBegun.Wait();
        Equal("x", Self("out", "x").Run().StandardOutput.Text);
        Equal(true, slow.IsRunning);
        isOver.Set();
        Equal((ProcessOutcome.Exited, ManyBytes), (slow.Wait().Outcome, bytes));
    }

    // The child ends at once, and its descendant holds its output for a while.
    private static void HeldPipes()
    {
        ProcessCommand leaver = Self("out", "x", "spawn", "sleep 1000000") with
        {
            DrainGrace = TimeSpan.FromMilliseconds(500),
        };
        ProcessResult result = leaver.Run();
        Equal((ProcessOutcome.Exited, true), (result.Outcome, result.StandardOutput.IsHeldOpen));
        KillById(int.Parse(result.StandardOutput.Text.AsSpan(1), CultureInfo.InvariantCulture));

        ProcessCommand brief = Self("spawn", "sleep 500 out later") with { DrainGrace = TimeSpan.FromSeconds(60) };
        ProcessResult whole = brief.Run();
        Equal(true, whole.StandardOutput.Text.EndsWith("later", StringComparison.Ordinal));
        Equal(false, whole.StandardOutput.IsHeldOpen);
    }

    // The portable backend refuses batch files. The cmd.exe of Wine 8 cannot keep a percent sign.
    private static void BatchFiles()
    {
        if (!OperatingSystem.IsWindows() || !s_isNative)
        {
            return;
        }

        string[] words =
            ["a b", "\"&echo INJECTED", "a&b|c<d>e^f", "(x)", "!x!", "\"", "a\\", "a b\\", ",;=", "it's", "ü"];
        words = s_isWine ? words : [.. words, "100%", "%PATH%", "%cd:~,%"];
        DirectoryInfo directory = Directory.CreateTempSubdirectory("check ");
        string file = Path.Combine(directory.FullName, "say & go.cmd");
        File.WriteAllText(file, $"@\"{Environment.ProcessPath}\" words %*\r\n@exit /b 5\r\n");
        ProcessResult result = new ProcessCommand(file, words).Run();
        Equal((5, string.Join('|', words)), (result.ExitCode, result.StandardOutput.Text));
        directory.Delete(recursive: true);
    }

    // Limits that pass when the child ends by itself.
    private static void LateLimits()
    {
        const int Runs = 60;
        long start = Stopwatch.GetTimestamp();
        Small(5).Run();
        int usual = (int)Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        for (int i = 0; i < Runs; i++)
        {
            RunWithin(TimeSpan.FromMilliseconds(1 + (usual * 2 * i / Runs)));
            StopDuringStart(usual * 2 * i / Runs);
        }

        Equal(0, ProcessEngine.Shared.LiveChildren);
    }

    private static void TwoEngines()
    {
        using ProcessEngine one = new();
        ProcessEngine other = new();
        using ChildProcess child = SmallReader().Start(one);
        ChildProcess lost = SmallReader().Start(other);
        PipelineResult pipeline = Self("fill", "100000").PipeTo(Self("copy")).Run(one);
        other.Dispose();
        Equal(ProcessOutcome.Canceled, lost.Wait().Outcome);
        lost.Dispose();
        Equal(true, Pattern.Matches(pipeline.StandardOutput, 100_000));
        child.StandardInput.Close();
        Equal(ProcessOutcome.Exited, child.Wait().Outcome);
    }

    // A stream that gives its bytes once it has been opened.
    private sealed class GatedStream(byte[] bytes) : MemoryStream(bytes)
    {
        private readonly ManualResetEventSlim _isOpen = new();

        public void Open() => _isOpen.Set();

        // A derived stream reads into a span by this method as well.
        public override int Read(byte[] buffer, int offset, int count)
        {
            _isOpen.Wait();
            return base.Read(buffer, offset, count);
        }
    }
}
