namespace ProcessRunner;

/// <summary>Specifies a resource whose use by a child can be limited (setrlimit(2)).</summary>
public enum LimitedResource
{
    /// <summary>Processor time in seconds (RLIMIT_CPU). The soft limit sends SIGXCPU, the hard one kills.</summary>
    ProcessorTime,

    /// <summary>The size of a file that the child writes, in bytes (RLIMIT_FSIZE).</summary>
    FileSize,

    /// <summary>The data segment and the heap, in bytes (RLIMIT_DATA).</summary>
    DataSize,

    /// <summary>The stack of the main thread, in bytes (RLIMIT_STACK).</summary>
    StackSize,

    /// <summary>The size of a core dump, in bytes (RLIMIT_CORE). Zero makes none.</summary>
    CoreDumpSize,

    /// <summary>The address space, in bytes (RLIMIT_AS).</summary>
    AddressSpace,

    /// <summary>
    /// The number from which on no descriptor is opened (RLIMIT_NOFILE). Takes the place of the limit that
    /// <see cref="ProcessEngineOptions.InheritDescriptorLimit"/> describes.
    /// </summary>
    OpenFiles,

    /// <summary>Memory that is locked, in bytes (RLIMIT_MEMLOCK).</summary>
    LockedMemory,

    /// <summary>The processes and threads of the user (RLIMIT_NPROC).</summary>
    Processes,
}
