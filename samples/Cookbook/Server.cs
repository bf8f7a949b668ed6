using System;
using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Waits until a server is ready, uses it, and stops it.</summary>
internal static class Server
{
    public static void Run(TextWriter output)
    {
        const string Script = "trap 'echo bye; exit 0' TERM; echo listening on port 8080; while :; do sleep 0.1; done";
        ProcessCommand command = new("sh", "-c", Script)
        {
            StandardOutput = OutputTarget.Tee(OutputTarget.Live(), OutputTarget.Capture(limit: 65_536)),
        };
        using ChildProcess server = command.Start();
        OutputLine ready = server.WaitForLine(line => line.Content.Contains("port"), TimeSpan.FromSeconds(30));
        server.IgnoreLines();
        output.WriteLine(ready.Content);
        output.WriteLine(server.Stop().StandardOutput.Lines()[^1]);
    }
}
