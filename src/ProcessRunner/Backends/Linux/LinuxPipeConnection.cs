using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>Both ends of a pipe, blocking, as programs expect them. Owned by the thread that starts the pipeline.</summary>
[SupportedOSPlatform("linux")]
internal sealed class LinuxPipeConnection : PipeConnection
{
    private OwnedDescriptor _readEnd;
    private OwnedDescriptor _writeEnd;

    /// <exception cref="Win32Exception">Out of descriptors.</exception>
    public unsafe LinuxPipeConnection()
    {
        int* ends = stackalloc int[2];
        OwnedDescriptor.ThrowIfFailed(LibC.Pipe2(ends, LibC.O_CLOEXEC), "pipe2");
        OwnedDescriptor.FromPair(ends[0], ends[1], out _readEnd, out _writeEnd);
    }

    /// <summary>The number of the end that a child's standard stream becomes.</summary>
    public int EndFor(int standardNumber) => standardNumber == 0 ? _readEnd.Number : _writeEnd.Number;

    public override void Dispose()
    {
        _readEnd.Close();
        _writeEnd.Close();
    }
}
