using System;
using System.Linq;
using System.Threading;

namespace ProcessRunner.BackendCheck;

/// <summary>The runs of a soak.</summary>
internal static partial class Checks
{
    private static readonly string[] s_kinds =
    [
        "exit", "output", "input", "timeout", "kill", "lines", "pipeline", "descendant", "early close", "engine",
        "dialogue", "late limit", "stop during the start", "crowd", "batch",
    ];

    /// <summary>Makes one run of a random kind, and throws if its result is wrong.</summary>
    /// <param name="random">The source of chance.</param>
    /// <param name="part">A part of the names of the kinds to choose from.</param>
    /// <param name="kind">Receives the kind of the run at its beginning.</param>
    public static void RunOne(Random random, string part, ref string kind)
    {
        int size = random.Next(300_000);
        string[] kinds = [.. s_kinds.Where(kind => kind.Contains(part, StringComparison.Ordinal))];
        kind = kinds[random.Next(kinds.Length)];
        switch (kind)
        {
            case "exit":
                Equal(7, Small(7).Run().ExitCode);
                break;
            case "output":
                ProcessResult both = Self("fillBoth", $"{size}").Run();
                Equal(true, Pattern.Matches(both.StandardOutput, size));
                Equal(true, Pattern.Matches(both.StandardError, size));
                break;
            case "input":
                ProcessCommand copy = Self("copy") with { StandardInput = InputSource.FromBytes(Pattern.Create(size)) };
                Equal(true, Pattern.Matches(copy.Run().StandardOutput, size));
                break;
            case "timeout":
                TimeSpan limit = TimeSpan.FromMilliseconds(random.Next(300));
                ProcessCommand slow = Self("fill", "1000", "sleep", "100000") with
                {
                    Timeout = limit,
                    StopGrace = limit,
                };
                Equal(ProcessOutcome.TimedOut, slow.Run().Outcome);
                break;
            case "kill":
                using (ChildProcess child = SmallReader().Start())
                {
                    child.Kill();
                    Equal(ProcessOutcome.Canceled, child.Wait().Outcome);
                }

                break;
            case "lines":
                int lines = 0;
                ProcessCommand talker = Self("out", string.Join('\n', Enumerable.Range(0, 1000))) with
                {
                    StandardOutput = OutputTarget.ToLines(_ => lines++),
                };
                talker.Run();
                Equal(1000, lines);
                break;
            case "pipeline":
                PipelineResult result = Self("fill", $"{size}").PipeTo(Self("copy")).Run();
                Equal(true, Pattern.Matches(result.StandardOutput, size));
                break;
            case "descendant":
                ProcessCommand leaver = Self("spawn", "sleep 100000") with
                {
                    DrainGrace = TimeSpan.Zero,
                    Descendants = DescendantPolicy.KillAlways,
                };
                Equal(false, IsAlive(IdIn(leaver.Run())));
                break;
            case "early close":
                ProcessCommand early = Small(3) with { StandardInput = InputSource.FromBytes(Pattern.Create(size)) };
                Equal(3, early.Run().ExitCode);
                break;
            case "engine":
                Disposal();
                break;
            case "dialogue":
                Dialogues();
                break;
            case "late limit":
                RunWithin(TimeSpan.FromMilliseconds(random.Next(1, 200)));
                break;
            case "stop during the start":
                StopDuringStart(random.Next(100));
                break;
            case "crowd":
                Equal(50, ProcessBatch.Enumerate(Enumerable.Repeat(Small(0), 50)).Count(result => result.IsSuccess));
                break;
            default:
                Batches();
                break;
        }
    }

    // The child exits at about the time of its limit.
    private static void RunWithin(TimeSpan limit)
    {
        ProcessResult result = (Small(5) with { Timeout = limit, StopGrace = TimeSpan.Zero }).Run();
        Equal(
            true,
            result is { Outcome: ProcessOutcome.Exited, ExitCode: 5 } or { Outcome: ProcessOutcome.TimedOut });
    }

    private static void StopDuringStart(int milliseconds)
    {
        using CancellationTokenSource source = new(milliseconds);
        try
        {
            Equal(5, Small(5).RunAsync(source.Token).GetAwaiter().GetResult().ExitCode);
        }
        catch (OperationCanceledException)
        {
            Equal(true, source.IsCancellationRequested);
        }
    }
}
