using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Accepts an exit code that is no failure: grep found nothing.</summary>
internal static class ExitCodes
{
    public static void Run(TextWriter output)
    {
        ProcessCommand grep = new("grep", "needle")
        {
            StandardInput = InputSource.FromText("hay\n"),
            ExitCodes = [0, 1],
        };
        output.WriteLine(grep.Run().EnsureSuccess().ExitCode == 0 ? "found" : "not found");
    }
}
