using System;
using System.IO;
using System.Linq;
using ProcessRunner;

namespace Cookbook;

/// <summary>Runs a flaky command again until it succeeds.</summary>
internal static class Retry
{
    public static void Run(TextWriter output)
    {
        string file = Path.GetTempFileName();
        ProcessCommand flaky = new("sh", "-c", "echo x >> \"$1\"; test $(wc -l < \"$1\") = 3", "sh", file);
        BatchOptions options = new() { Retry = new BatchRetry { Count = 5, Delay = TimeSpan.FromMilliseconds(10) } };
        BatchResult result = ProcessBatch.Enumerate([flaky], options).Single();
        output.WriteLine($"flaky: {result.IsFlaky}, attempts: {result.EarlierAttempts.Count + 1}");
        File.Delete(file);
    }
}
