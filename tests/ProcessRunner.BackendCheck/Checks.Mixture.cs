using System;
using System.Linq;

namespace ProcessRunner.BackendCheck;

/// <summary>The runs of a soak.</summary>
internal static partial class Checks
{
    /// <summary>Makes one run of a random kind, and throws if its result is wrong.</summary>
    /// <param name="random">The source of chance.</param>
    /// <param name="kind">The kind of the run.</param>
    public static void RunOne(Random random, out string kind)
    {
        int size = random.Next(300_000);
        kind = random.Next(12) switch
        {
            0 => "exit",
            1 => "output",
            2 => "input",
            3 => "timeout",
            4 => "kill",
            5 => "lines",
            6 => "pipeline",
            7 => "descendant",
            8 => "early close",
            9 => "engine",
            10 => "dialogue",
            _ => "batch",
        };
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
            default:
                Batches();
                break;
        }
    }
}
