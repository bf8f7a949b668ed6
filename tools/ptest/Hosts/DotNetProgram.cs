using System;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;

namespace PTest.Hosts;

/// <summary>Knows the program of .NET that runs the processes of tests.</summary>
internal static class DotNetProgram
{
    private static readonly string s_name = OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet";

    /// <summary>Gets its path, or its name if the variable PATH is to be searched for it.</summary>
    public static string FilePath { get; } =
        Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is string path && File.Exists(path) ? path : "dotnet";

    /// <summary>
    /// Gets whether the runtime of this process is one of those that the program has, so that both are for the same
    /// processor.
    /// </summary>
    public static bool HasThisRuntime { get; } =
        Folder is string folder && RuntimeEnvironment.GetRuntimeDirectory().StartsWith(
            $"{folder}{Path.DirectorySeparatorChar}", StringComparison.OrdinalIgnoreCase);

    private static string? Folder
    {
        get
        {
            string? found = Path.IsPathFullyQualified(FilePath) ? FilePath
                : (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator)
                    .Select(folder => Path.Combine(folder, s_name)).FirstOrDefault(File.Exists);
            return found is null ? null
                : Path.GetDirectoryName(File.ResolveLinkTarget(found, returnFinalTarget: true)?.FullName ?? found);
        }
    }
}
