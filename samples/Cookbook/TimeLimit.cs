using System;
using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Limits the time of a command, and keeps what it wrote until then.</summary>
internal static class TimeLimit
{
    public static void Run(TextWriter output)
    {
        ProcessCommand slow = new("sh", "-c", "echo begun; exec sleep 1000") { Timeout = TimeSpan.FromSeconds(2) };
        ProcessResult result = slow.Run();
        output.WriteLine($"{result.Outcome}: {result.StandardOutput.Text.Trim()}");
    }
}
