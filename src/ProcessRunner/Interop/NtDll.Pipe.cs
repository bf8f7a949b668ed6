using System.Runtime.InteropServices;
using ProcessRunner.Faults;

namespace ProcessRunner.Interop;

/// <summary>
/// Provides the documented functions of ntdll, as close to C as possible. They return a status instead of setting the
/// last error, so <see cref="Failed"/> translates it.
/// </summary>
internal static unsafe partial class NtDll
{
    private const string Library = "ntdll";

    public const uint GENERIC_READ = 0x80000000;
    public const uint GENERIC_WRITE = 0x40000000;
    public const uint SYNCHRONIZE = 0x100000;
    public const uint FILE_READ_ATTRIBUTES = 0x80;
    public const uint FILE_WRITE_ATTRIBUTES = 0x100;
    public const uint FILE_SHARE_READ = 1;
    public const uint FILE_SHARE_WRITE = 2;
    public const uint FILE_CREATE = 2;
    public const uint FILE_SYNCHRONOUS_IO_NONALERT = 0x20;
    public const uint FILE_NON_DIRECTORY_FILE = 0x40;
    public const uint FILE_PIPE_BYTE_STREAM_TYPE = 0;
    public const uint FILE_PIPE_BYTE_STREAM_MODE = 0;
    public const uint FILE_PIPE_QUEUE_OPERATION = 0;

    /// <summary>Opens a file whose name is relative to a handle.</summary>
    /// <returns>The handle, or zero, with the last error set.</returns>
    public static nint OpenFile(OBJECT_ATTRIBUTES* attributes, uint access, uint share, uint options)
    {
        nint handle = 0;
        IO_STATUS_BLOCK status;
        return !FaultPoint.Fails("NtOpenFile")
            && !Failed(NtOpenFile(&handle, access, attributes, &status, share, options))
                ? handle
                : 0;
    }

    [LibraryImport(Library)]
    private static partial int NtOpenFile(
        nint* handle, uint access, OBJECT_ATTRIBUTES* attributes, IO_STATUS_BLOCK* status, uint share, uint options);

    /// <summary>Creates the server's end of a pipe for bytes with one instance.</summary>
    /// <returns>The handle, or zero, with the last error set.</returns>
    public static nint CreateNamedPipeFile(
        OBJECT_ATTRIBUTES* attributes, uint access, uint share, uint options, uint quota)
    {
        const long TenthsOfMicroseconds = -500_000;
        long timeout = TenthsOfMicroseconds;
        nint handle = 0;
        IO_STATUS_BLOCK status;
        return !FaultPoint.Fails("NtCreateNamedPipeFile")
            && !Failed(NtCreateNamedPipeFile(
                &handle, access, attributes, &status, share, FILE_CREATE, options,
                FILE_PIPE_BYTE_STREAM_TYPE, FILE_PIPE_BYTE_STREAM_MODE, FILE_PIPE_QUEUE_OPERATION, 1, quota, quota,
                &timeout))
                ? handle
                : 0;
    }

    [LibraryImport(Library)]
    private static partial int NtCreateNamedPipeFile(
        nint* handle,
        uint access,
        OBJECT_ATTRIBUTES* attributes,
        IO_STATUS_BLOCK* status,
        uint share,
        uint disposition,
        uint options,
        uint pipeType,
        uint readMode,
        uint completionMode,
        uint mostInstances,
        uint inboundQuota,
        uint outboundQuota,
        long* timeout);

    [LibraryImport(Library, EntryPoint = "RtlNtStatusToDosError")]
    private static partial int RtlNtStatusToDosError(int status);

    // NT_SUCCESS: warnings count as failures, too.
    private static bool Failed(int status)
    {
        if (status < 0)
        {
            Marshal.SetLastPInvokeError(RtlNtStatusToDosError(status));
        }

        return status < 0;
    }

    /// <summary>Represents UNICODE_STRING, whose lengths count bytes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct UNICODE_STRING
    {
        public ushort Length;
        public ushort MaximumLength;
        public char* Buffer;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct OBJECT_ATTRIBUTES
    {
        public uint Length;
        public nint RootDirectory;
        public UNICODE_STRING* ObjectName;
        public uint Attributes;
        public void* SecurityDescriptor;
        public void* SecurityQualityOfService;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct IO_STATUS_BLOCK
    {
        public nint Status;
        public nuint Information;
    }
}
