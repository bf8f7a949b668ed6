using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Asks for the exit code alone.</summary>
internal static class OnlyTheExitCode
{
    public static void Run(TextWriter output)
    {
        ProcessCommand test = new("sh", "-c", "echo noise; exit 3")
        {
            StandardOutput = OutputTarget.Null,
            StandardError = OutputTarget.Null,
        };
        output.WriteLine(test.Run().ExitCode);
    }
}
