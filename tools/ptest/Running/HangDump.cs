using System;
using System.IO;
using System.Net.Sockets;
using System.Threading;
using Microsoft.Diagnostics.NETCore.Client;

namespace PTest.Running;

/// <summary>Writes the memory of a hanging process to a file, for a debugger.</summary>
internal static class HangDump
{
    // A process that is suspended takes the request, and never answers.
    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(2);

    /// <summary>Writes a dump.</summary>
    /// <returns>The path of the file, or null if the process does not answer.</returns>
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
        catch (Exception exception) when (exception is DiagnosticsClientException or IOException
            or TimeoutException or UnauthorizedAccessException or UnsupportedCommandException
            or OperationCanceledException or SocketException)
        {
            return null;
        }
    }
}
