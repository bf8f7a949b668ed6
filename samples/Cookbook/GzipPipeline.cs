using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Compresses and decompresses in a pipeline whose bytes never enter this program.</summary>
internal static class GzipPipeline
{
    public static void Run(TextWriter output)
    {
        ProcessPipeline pipeline =
            new ProcessCommand("seq", "100000") | new ProcessCommand("gzip") | new ProcessCommand("gzip", "-d")
            | new ProcessCommand("tail", "-n", "1");
        output.Write(pipeline.Run().EnsureSuccess().StandardOutput.Text);
    }
}
