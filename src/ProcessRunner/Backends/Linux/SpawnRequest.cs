using System;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>What to start, in native memory that outlives the start.</summary>
[SupportedOSPlatform("linux")]
internal readonly unsafe ref struct SpawnRequest
{
    /// <summary>The number of standard streams.</summary>
    public const int StreamCount = 3;

    /// <summary>The program's file.</summary>
    public required byte* Path { get; init; }

    /// <summary>Begins with the name that the program is told.</summary>
    public required byte** Arguments { get; init; }

    public required byte** Environment { get; init; }

    /// <summary>Where it works; null for the caller's directory.</summary>
    public byte* Directory { get; init; }

    /// <summary>Its limits of descriptors; null for the caller's.</summary>
    public LibC.ResourceLimit* DescriptorLimit { get; init; }

    /// <summary>Which group it belongs to; not Auto.</summary>
    public required ProcessGroupMode GroupMode { get; init; }

    /// <summary>Is told how far the start has come, or null.</summary>
    public IStartProgress? Progress { get; init; }

    /// <summary>A descriptor of ours that stays open until the exec, which closes it; -1 for none.</summary>
    public required int Kept { get; init; }

    /// <summary>What becomes the descriptors 0, 1 and 2.</summary>
    public required ReadOnlySpan<SpawnStream> Streams { get; init; }

    /// <summary>The files of the streams that are files, by the number of the stream.</summary>
    public required byte** Files { get; init; }
}
