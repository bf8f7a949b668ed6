using System.ComponentModel;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Windows.Io;

/// <summary>
/// Represents both ends of a pipe, synchronous, as programs expect them. The code that starts the pipeline owns the
/// pipe, except during an attempt to start the child that writes: if that attempt fails, nothing is open afterwards.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed class WindowsPipeConnection : PipeConnection
{
    private OwnedHandle _readEnd;
    private OwnedHandle _writeEnd;

    /// <summary>Gets the handle that becomes a standard input.</summary>
    public nint ReadEnd => _readEnd.Value;

    /// <summary>Gets the handle that becomes a standard output.</summary>
    public nint WriteEnd => _writeEnd.Value;

    /// <summary>Opens both ends.</summary>
    /// <exception cref="Win32Exception">The system lacks memory.</exception>
    public void Open() => WindowsPipe.OpenSynchronous(out _readEnd, out _writeEnd);

    public override void Dispose()
    {
        _readEnd.Close();
        _writeEnd.Close();
    }
}
