using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Writes the output to a log file and keeps its end for the result.</summary>
internal static class LogFile
{
    public static void Run(TextWriter output)
    {
        string path = Path.GetTempFileName();
        using (FileStream log = File.OpenWrite(path))
        {
            ProcessCommand build = new("seq", "1000")
            {
                StandardOutput = OutputTarget.Tee(OutputTarget.ToStream(log), OutputTarget.Capture(limit: 100)),
            };
            output.WriteLine($"the last line is {build.Run().EnsureSuccess().StandardOutput.Lines()[^1]}");
        }

        output.WriteLine($"the log has {File.ReadAllLines(path).Length} lines");
        File.Delete(path);
    }
}
