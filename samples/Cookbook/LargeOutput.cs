using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Keeps an output of any size in a file, and reads it as a stream.</summary>
internal static class LargeOutput
{
    public static void Run(TextWriter output)
    {
        ProcessCommand command = new("seq", "2000000")
        {
            StandardOutput = OutputTarget.Capture(limit: 1_000_000, CapturePolicy.SpillToFile),
        };
        ProcessResult result = command.Run().EnsureSuccess();
        using StreamReader reader = new(result.StandardOutput.OpenRead());
        int lines = 0;
        while (reader.ReadLine() is not null)
        {
            lines++;
        }

        output.WriteLine($"{lines} lines, in a file: {result.StandardOutput.IsSpilled}");
        result.StandardOutput.Release();
    }
}
