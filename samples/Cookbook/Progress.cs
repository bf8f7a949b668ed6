using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Follows a progress bar, which ends its lines with a carriage return.</summary>
internal static class Progress
{
    public static void Run(TextWriter output)
    {
        const string Encoder = "for p in 10 50 100; do printf '%s%%\\r' $p; done; echo done";
        ProcessCommand encoder = new("sh", "-c", Encoder)
        {
            StandardOutput = OutputTarget.ToLines(
                line => output.WriteLine($"progress: {line.Content}"),
                new LineOptions { SplitAtCarriageReturn = true }),
        };
        encoder.Run().EnsureSuccess();
    }
}
