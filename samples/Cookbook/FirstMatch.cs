using System;
using System.IO;
using System.Linq;
using ProcessRunner;

namespace Cookbook;

/// <summary>Reads live lines until one is found, and then stops the child.</summary>
internal static class FirstMatch
{
    public static void Run(TextWriter output)
    {
        ProcessCommand endless = new("sh", "-c", "n=0; while :; do n=$((n+1)); echo line $n; done")
        {
            StandardOutput = OutputTarget.Live(),
        };
        using ChildProcess child = endless.Start();
        OutputLine found = child.ReadLines().First(line => line.Content.EndsWith("500", StringComparison.Ordinal));
        output.WriteLine(found.Content);
        output.WriteLine(child.Wait().Outcome);
    }
}
