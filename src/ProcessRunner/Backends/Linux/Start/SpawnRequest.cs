using System;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Describes a program to start. The <see cref="Spawner"/> adds what it passes to the kernel, in native memory that
/// outlives the start.
/// </summary>
[SupportedOSPlatform("linux")]
internal readonly unsafe ref struct SpawnRequest
{
    /// <summary>The number of standard streams.</summary>
    public const int StreamCount = 3;

    /// <summary>Gets the program, its arguments and its directory.</summary>
    public required IProgram Program { get; init; }

    /// <summary>Gets the path of the file that the program's name stands for.</summary>
    public required string File { get; init; }

    /// <summary>Gets the whole environment of the child.</summary>
    public required byte** Environment { get; init; }

    /// <summary>
    /// Gets whether the child inherits this process's limit of descriptors, although the runtime has raised it.
    /// </summary>
    public bool InheritsLimit { get; init; }

    /// <summary>Gets the group that the child belongs to; not <see cref="LaunchGroup.Auto"/>.</summary>
    public required LaunchGroup Group { get; init; }

    /// <summary>Gets the settings that few children have, or null.</summary>
    public SpawnSettings? Settings { get; init; }

    /// <summary>Gets the receiver of the start's progress, or null.</summary>
    public IStartProgress? Progress { get; init; }

    /// <summary>
    /// Gets a descriptor of this process that stays open in the child until the exec, which closes it; -1 for none.
    /// </summary>
    public required int Kept { get; init; }

    /// <summary>
    /// Gets whether the starter closes descriptors of the child once it runs, so that one is free for its pidfd.
    /// </summary>
    public bool LeavesPlace { get; init; }

    /// <summary>Gets the sources of the descriptors 0, 1 and 2.</summary>
    public required ReadOnlySpan<SpawnStream> Streams { get; init; }

    /// <summary>Gets the sources of the channels, in the order of their numbers.</summary>
    public ReadOnlySpan<SpawnChannel> Channels { get; init; }

    /// <summary>Gets the path of the program's file. Set by the spawner, as all that follow.</summary>
    public byte* Path { get; init; }

    /// <summary>Gets the arguments, which begin with the name that the program receives.</summary>
    public byte** Arguments { get; init; }

    /// <summary>Gets the working directory; null for the caller's.</summary>
    public byte* Directory { get; init; }

    /// <summary>Gets the descriptor limits; null for the caller's.</summary>
    public LibC.LimitPair* DescriptorLimit { get; init; }

    /// <summary>Gets the paths of the streams' files, indexed by the number of the stream.</summary>
    public byte** Files { get; init; }
}
