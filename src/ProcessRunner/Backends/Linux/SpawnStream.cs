using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// What becomes a standard stream of a child: a descriptor of ours, a file that the child opens itself before its program
/// runs, or, for standard error, the child's own standard output.
/// </summary>
[SupportedOSPlatform("linux")]
internal readonly record struct SpawnStream
{
    private SpawnStream(int descriptor, string? path, int openFlags) =>
        (Descriptor, Path, OpenFlags) = (descriptor, path, openFlags);

    /// <summary>The number of ours; -1 if it is none of ours.</summary>
    public int Descriptor { get; }

    /// <summary>The file; null if it is none.</summary>
    public string? Path { get; }

    /// <summary>How the file is opened, open(2).</summary>
    public int OpenFlags { get; }

    /// <summary>Whether it is the child's own standard output.</summary>
    public bool IsOutput => Descriptor < 0 && Path is null;

    /// <summary>The child's own standard output.</summary>
    public static SpawnStream Output { get; } = new(-1, null, 0);

    /// <summary>A descriptor of ours.</summary>
    public static SpawnStream Of(int descriptor) => new(descriptor, null, 0);

    /// <summary>A file that the child reads.</summary>
    public static SpawnStream From(string path) => new(-1, path, LibC.O_RDONLY | LibC.O_NOCTTY);

    /// <summary>A file that the child writes. It is made if it is not there.</summary>
    public static SpawnStream To(string path, bool append) =>
        new(-1, path, LibC.O_WRONLY | LibC.O_CREAT | LibC.O_NOCTTY | (append ? LibC.O_APPEND : LibC.O_TRUNC));
}
