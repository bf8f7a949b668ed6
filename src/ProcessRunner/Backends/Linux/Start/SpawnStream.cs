using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Represents the source of a child's standard stream: a descriptor of this process, a file that the child opens itself
/// before its program runs or, for standard error, the child's own standard output.
/// </summary>
[SupportedOSPlatform("linux")]
internal readonly record struct SpawnStream
{
    private SpawnStream(int descriptor, string? path, int openFlags) =>
        (Descriptor, Path, OpenFlags) = (descriptor, path, openFlags);

    /// <summary>Gets the number of this process's descriptor; -1 if the source is another one.</summary>
    public int Descriptor { get; }

    /// <summary>Gets the path of the file; null if the source is not a file.</summary>
    public string? Path { get; }

    /// <summary>Gets the flags that open the file, as in open(2).</summary>
    public int OpenFlags { get; }

    /// <summary>Gets whether the source is the child's own standard output.</summary>
    public bool IsOutput => Descriptor < 0 && Path is null;

    /// <summary>Gets the source that is the child's own standard output.</summary>
    public static SpawnStream Output { get; } = new(-1, null, 0);

    /// <summary>Creates a source from a descriptor of this process.</summary>
    public static SpawnStream Of(int descriptor) => new(descriptor, null, 0);

    /// <summary>Creates a source from a file that the child reads.</summary>
    public static SpawnStream From(string path) => new(-1, path, LibC.O_RDONLY | LibC.O_NOCTTY);

    /// <summary>Creates a source from a file that the child writes. The file is created if it does not exist.</summary>
    public static SpawnStream To(string path, bool append) =>
        new(-1, path, LibC.O_WRONLY | LibC.O_CREAT | LibC.O_NOCTTY | (append ? LibC.O_APPEND : LibC.O_TRUNC));
}
