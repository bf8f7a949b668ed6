using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

namespace ProcessRunner.TestHost.Batches;

/// <summary>
/// Plays a host that has tokens of a jobserver, whose pipe is also descriptor 7: <c>TOKENS MODE</c>. After every kind
/// of ending of the batch, the pipe contains the same bytes as before.
/// </summary>
internal sealed class BatchWithJobserver : IScenario
{
    private const int Pipe = 7;
    private const int Rounds = 6;

    // The limit ends children that wait for others in vain.
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(3);

    public string Name => "batch-with-jobserver";

    public void Play(string[] arguments)
    {
        string tokens = arguments[0];
        string mode = arguments[1];
        string directory = Directory.CreateTempSubdirectory("batch-with-jobserver-").FullName;
        try
        {
            for (int round = 0; round < (mode == "unlimited" ? 1 : Rounds); round++)
            {
                Run(tokens, mode, round, directory);
            }
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }

        byte[] left = NativeMethods.ReadAvailable(Pipe);
        Expect.Equal(Sorted(Encoding.ASCII.GetBytes(tokens)), Sorted(left), "tokens in the pipe at the end");
    }

    private static void Run(string tokens, string mode, int round, string directory)
    {
        // Each child waits until more run at once than the tokens allow.
        string untilMoreRun =
            ": >\"$0/started.$$\"; until set -- \"$0\"/started.*; "
            + $"[ $# -gt {tokens.Length + 1} ]; do sleep 0.01; done";
        string work = mode switch
        {
            "kill" => "[ $((n % 3)) -ne 0 ] || kill -9 $$",
            "unlimited" => untilMoreRun,
            _ => "sleep 0.01",
        };
        ProcessCommand recorder =
            new("/bin/sh", "-c", $"n=$$; b=$(date +%s%N); {work}; sleep 0.01; echo $b $(date +%s%N)", directory);
        BatchOptions options = new() { MaxConcurrency = 10, UseJobserver = true };
        options = mode == "unlimited" ? options with { Timeout = s_limit } : options;
        BatchResults batch = ProcessBatch.Enumerate(Enumerable.Repeat(recorder, 24), options);
        List<ProcessResult> results = [];
        foreach (BatchResult result in batch)
        {
            results.Add(result.Result!);
            if (results.Count == 3 + round && mode == "stop")
            {
                batch.RequestStop();
            }
            else if (results.Count == 3 + round && mode == "leave")
            {
                break;
            }
        }

        int most = Highest(results.Where(result => result.IsSuccess));
        bool isLimited = mode != "unlimited";
        Expect.True(!isLimited || most <= tokens.Length + 1, $"at most {tokens.Length + 1} ran at once: {most}");
        Expect.True(mode is "stop" or "leave" || results.Count == 24, $"all have run: {results.Count}");
        Expect.True(mode != "unlimited" || most > tokens.Length + 1, $"nothing held them up: {most} at once");
    }

    private static int Highest(IEnumerable<ProcessResult> results)
    {
        int now = 0;
        int highest = 0;
        foreach ((long _, int change) in results.SelectMany(result =>
        {
            string[] words = result.StandardOutput.Text.TrimEnd().Split(' ');
            return new[] { (long.Parse(words[0]), 1), (long.Parse(words[1]), -1) };
        }).Order())
        {
            now += change;
            highest = Math.Max(highest, now);
        }

        return highest;
    }

    private static string Sorted(byte[] bytes) => Encoding.ASCII.GetString([.. bytes.Order()]);
}
