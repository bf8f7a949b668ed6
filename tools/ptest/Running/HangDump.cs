using System;
using System.IO;
using Microsoft.Diagnostics.NETCore.Client;

namespace PTest.Running;

/// <summary>Writes the memory of a hanging process to a file, for a debugger.</summary>
internal static class HangDump
{
    /// <summary>Writes a dump.</summary>
    /// <returns>The path of the file, or null if the process does not answer.</returns>
    public static string? Write(int processId, DumpKind kind, string folder)
    {
        try
        {
            Directory.CreateDirectory(folder);
            string path = Path.Combine(folder, $"hang-{processId}.dmp");
            new DiagnosticsClient(processId).WriteDump(
                kind == DumpKind.Heap ? DumpType.WithHeap : DumpType.Triage, path);
            return path;
        }
        catch (Exception exception) when (exception is DiagnosticsClientException or IOException
            or TimeoutException or UnauthorizedAccessException or UnsupportedCommandException)
        {
            return null;
        }
    }
}
