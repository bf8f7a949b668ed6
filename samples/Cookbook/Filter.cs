using System.IO;
using System.Text;
using ProcessRunner;

namespace Cookbook;

/// <summary>Sends a stream through a program, into a builder.</summary>
internal static class Filter
{
    public static void Run(TextWriter output)
    {
        using MemoryStream text = new("banana\napple\ncherry\n"u8.ToArray());
        StringBuilder sorted = new();
        ProcessCommand sort = new("sort")
        {
            StandardInput = InputSource.FromStream(text),
            StandardOutput = OutputTarget.ToText(sorted),
        };
        sort.Run().EnsureSuccess();
        output.WriteLine(sorted.ToString().ReplaceLineEndings(" ").Trim());
    }
}
