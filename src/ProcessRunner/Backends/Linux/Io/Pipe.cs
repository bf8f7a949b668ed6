using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Io;

/// <summary>
/// Represents a pipe between a child and this process. Both ends are close-on-exec. Our end is non-blocking, and the
/// child's end blocks, as programs expect. The owner moves <see cref="Ours"/> out or closes both ends.
/// </summary>
[SupportedOSPlatform("linux")]
internal struct Pipe
{
    public OwnedDescriptor Ours;
    public OwnedDescriptor Theirs;

    /// <exception cref="Win32Exception">The process or the system is out of descriptors.</exception>
    public static Pipe Open(bool weRead)
    {
        Pipe pipe = default;
        if (weRead)
        {
            OwnedDescriptor.OpenPipe(out pipe.Ours, out pipe.Theirs);
        }
        else
        {
            OwnedDescriptor.OpenPipe(out pipe.Theirs, out pipe.Ours);
        }

        try
        {
            int result = LibC.Fcntl(pipe.Ours.Number, LibC.F_SETFL, LibC.O_NONBLOCK);
            SystemError.ThrowIfFailed(result, "fcntl");
            return pipe;
        }
        catch
        {
            pipe.Close();
            throw;
        }
    }

    public void Close()
    {
        Ours.Close();
        Theirs.Close();
    }

    /// <summary>Transfers our end to another owner.</summary>
    public OwnedDescriptor TakeOurs()
    {
        OwnedDescriptor ours = Ours;
        Ours = default;
        return ours;
    }
}
