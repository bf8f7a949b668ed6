using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Runs a command with a lower priority, by another program.</summary>
internal static class Nice
{
    public static void Run(TextWriter output)
    {
        ProcessCommand command = new ProcessCommand("sh", "-c", "nice").RunBy("nice", "-n", "5");
        output.WriteLine($"{command} has priority {command.Run().EnsureSuccess().StandardOutput.Text.Trim()}");
    }
}
