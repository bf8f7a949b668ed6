using System;
using System.IO;
using System.Threading;
using Microsoft.Diagnostics.NETCore.Client;
using PTest.Output;

namespace PTest.Running;

/// <summary>Writes the memory of a hanging process to a file, for a debugger.</summary>
internal static class HangDump
{
    // A process that is suspended takes the request, and never answers.
    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(2);

    /// <summary>Writes a dump.</summary>
    /// <returns>The path of the file, or null, with a message, if there is none.</returns>
    public static string? Write(int processId, DumpKind kind, string folder)
    {
        try
        {
            Directory.CreateDirectory(folder);
            string path = Path.Combine(folder, $"hang-{processId}.dmp");
            using CancellationTokenSource limit = new(s_longest);
            DumpType type = kind == DumpKind.Heap ? DumpType.WithHeap : DumpType.Triage;
            new DiagnosticsClient(processId).WriteDumpAsync(type, path, logDumpGeneration: false, limit.Token)
                .GetAwaiter().GetResult();
            return path;
        }
        catch (Exception exception)
        {
            ErrorOutput.Write($"there is no dump of the process {processId}: {exception.Message}");
            return null;
        }
    }
}
