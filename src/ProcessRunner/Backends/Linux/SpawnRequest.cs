using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux;

/// <summary>What to start, in native memory that outlives the start.</summary>
[SupportedOSPlatform("linux")]
internal readonly unsafe ref struct SpawnRequest
{
    /// <summary>The program's file.</summary>
    public required byte* Path { get; init; }

    /// <summary>Begins with the name that the program is told.</summary>
    public required byte** Arguments { get; init; }

    public required byte** Environment { get; init; }

    /// <summary>Where it works; null for the caller's directory.</summary>
    public byte* Directory { get; init; }

    /// <summary>Which group it belongs to; not Auto.</summary>
    public required ProcessGroupMode GroupMode { get; init; }

    /// <summary>Is told how far the start has come, or null.</summary>
    public IStartProgress? Progress { get; init; }

    /// <summary>Becomes descriptor 0.</summary>
    public required int Input { get; init; }

    /// <summary>Becomes descriptor 1.</summary>
    public required int Output { get; init; }

    /// <summary>Becomes descriptor 2.</summary>
    public required int Error { get; init; }
}
