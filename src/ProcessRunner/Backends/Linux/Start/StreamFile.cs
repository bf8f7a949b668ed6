using System;
using System.IO;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Provides the path by which a child opens the file that its command names. The child is another process, for which
/// <c>/proc/self/fd/5</c> and <c>/dev/stdout</c> mean something else.
/// </summary>
[SupportedOSPlatform("linux")]
internal static class StreamFile
{
    /// <summary>Returns the path for the child, which is in this process's directory when it opens the file.</summary>
    public static string PathFor(string path)
    {
        const string Self = "/proc/self/";
        const string DeviceDirectory = "/dev/";
        string? own = path switch
        {
            "/dev/stdin" => "fd/0",
            "/dev/stdout" => "fd/1",
            "/dev/stderr" => "fd/2",
            _ when path.StartsWith("/dev/fd/", StringComparison.Ordinal) => path[DeviceDirectory.Length..],
            _ when path.StartsWith(Self, StringComparison.Ordinal) => path[Self.Length..],
            _ => null,
        };

        // Uses the number by which /proc knows this process: /proc can belong to another pid namespace.
        return own is not null && new FileInfo("/proc/self").LinkTarget is string self ? $"/proc/{self}/{own}" : path;
    }
}
