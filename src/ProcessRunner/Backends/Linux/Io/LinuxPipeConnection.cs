using System.ComponentModel;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux.Io;

/// <summary>
/// Represents both ends of a pipe, blocking, as programs expect them. The code that starts the pipeline owns the pipe,
/// except during an attempt to start the child that writes: if that attempt fails, nothing is open afterwards.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class LinuxPipeConnection : PipeConnection
{
    private OwnedDescriptor _readEnd;
    private OwnedDescriptor _writeEnd;

    /// <summary>Gets the number of the end that becomes a standard input.</summary>
    public int ReadEnd => _readEnd.Number;

    /// <summary>Gets the number of the end that becomes a standard output.</summary>
    public int WriteEnd => _writeEnd.Number;

    /// <summary>Opens both ends.</summary>
    /// <exception cref="Win32Exception">The process or the system is out of descriptors.</exception>
    public void Open() => OwnedDescriptor.OpenPipe(out _readEnd, out _writeEnd);

    public override void Dispose()
    {
        _readEnd.Close();
        _writeEnd.Close();
    }
}
