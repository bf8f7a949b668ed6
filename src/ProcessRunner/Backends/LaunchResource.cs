namespace ProcessRunner.Backends;

/// <summary>Specifies a resource whose use can be limited.</summary>
internal enum LaunchResource
{
    ProcessorTime,
    FileSize,
    DataSize,
    StackSize,
    CoreDumpSize,
    AddressSpace,
    OpenFiles,
    LockedMemory,
    Processes,
}
