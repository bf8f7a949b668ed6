using System.Runtime.Versioning;

namespace ProcessRunner;

/// <summary>Specifies a resource whose use by a child can be limited (setrlimit(2), job objects on Windows).</summary>
public enum LimitedResource
{
    /// <summary>
    /// Processor time in seconds (RLIMIT_CPU). The soft limit sends SIGXCPU, the hard one kills. On Windows the time in
    /// user mode counts, and the system kills a process at the soft limit.
    /// </summary>
    ProcessorTime,

    /// <summary>The size of a file that the child writes, in bytes (RLIMIT_FSIZE).</summary>
    [SupportedOSPlatform("linux")]
    FileSize,

    /// <summary>The data segment and the heap, in bytes (RLIMIT_DATA); on Windows committed memory.</summary>
    DataSize,

    /// <summary>The stack of the main thread, in bytes (RLIMIT_STACK).</summary>
    [SupportedOSPlatform("linux")]
    StackSize,

    /// <summary>The size of a core dump, in bytes (RLIMIT_CORE). Zero disables core dumps.</summary>
    [SupportedOSPlatform("linux")]
    CoreDumpSize,

    /// <summary>The address space, in bytes (RLIMIT_AS); on Windows committed memory.</summary>
    AddressSpace,

    /// <summary>
    /// One more than the highest descriptor number (RLIMIT_NOFILE). Takes the place of the limit that
    /// <see cref="ProcessEngineOptions.InheritDescriptorLimit"/> describes.
    /// </summary>
    [SupportedOSPlatform("linux")]
    OpenFiles,

    /// <summary>Memory that is locked, in bytes (RLIMIT_MEMLOCK).</summary>
    [SupportedOSPlatform("linux")]
    LockedMemory,

    /// <summary>
    /// The processes and threads of the user (RLIMIT_NPROC); on Windows the processes that live at once: the child and
    /// its descendants.
    /// </summary>
    Processes,
}
