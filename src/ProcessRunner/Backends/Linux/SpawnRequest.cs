using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// The arguments of posix_spawn(3), and what came of it: native memory and this struct belong to the thread that asks, which
/// blocks until it is done.
/// </summary>
[SupportedOSPlatform("linux")]
internal unsafe struct SpawnRequest
{
    /// <summary>The program's file.</summary>
    public byte* Path;

    /// <summary>What becomes of the descriptors; a posix_spawn_file_actions_t.</summary>
    public void* Actions;

    /// <summary>Group and signals; a posix_spawnattr_t.</summary>
    public void* Attributes;

    public byte** Arguments;

    public byte** Environment;

    /// <summary>The id of the new child.</summary>
    public int ProcessId;

    /// <summary>Why there is none; 0 if there is.</summary>
    public int Error;
}
