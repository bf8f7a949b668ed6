using System;
using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Asks several mirrors and takes the first answer.</summary>
internal static class FirstAnswer
{
    public static void Run(TextWriter output)
    {
        ProcessExecutor[] mirrors =
        [
            new("slow", new ProcessCommand("sh", "-c", "sleep 1000")),
            new("fast", new ProcessCommand("sh", "-c", "echo answer")),
        ];
        Array.ForEach(mirrors, mirror => mirror.Run());
        ProcessExecutor first = ProcessExecutor.WaitAny(mirrors, TimeSpan.FromMinutes(1))!;
        output.WriteLine($"{first.Name}: {first.Result.StandardOutput.Text.Trim()}");
        Array.ForEach(mirrors, mirror => mirror.Dispose());
    }
}
