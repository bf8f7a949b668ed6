using System;
using System.IO;
using System.Threading;
using ProcessRunner;

namespace Cookbook;

/// <summary>Stops a run by a token.</summary>
internal static class Cancel
{
    public static void Run(TextWriter output)
    {
        using CancellationTokenSource source = new(TimeSpan.FromSeconds(1));
        try
        {
            new ProcessCommand("sleep", "1000").Run(source.Token);
        }
        catch (OperationCanceledException exception)
        {
            output.WriteLine(ProcessResult.Of(exception)?.Outcome);
        }
    }
}
