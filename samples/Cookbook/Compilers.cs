using System.Collections.Generic;
using System.IO;
using System.Linq;
using ProcessRunner;

namespace Cookbook;

/// <summary>Compiles 200 files, four at once, and stops at the first error.</summary>
internal static class Compilers
{
    public static void Run(TextWriter output)
    {
        IEnumerable<ProcessCommand> compilers =
            Enumerable.Range(1, 200).Select(number => new ProcessCommand("sh", "-c", $"test {number} != 50 || exit 1"));
        BatchOptions options = new() { MaxConcurrency = 4, OnFirstFailure = BatchFailureAction.StopStarting };
        foreach (BatchResult result in ProcessBatch.Enumerate(compilers, options).Where(result => !result.IsSuccess))
        {
            output.WriteLine($"file {result.Index + 1} does not compile");
        }
    }
}
