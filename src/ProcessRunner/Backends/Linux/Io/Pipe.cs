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
    public static unsafe Pipe Open(bool weRead)
    {
        int* ends = stackalloc int[2];
        OwnedDescriptor.ThrowIfFailed(LibC.Pipe2(ends, LibC.O_CLOEXEC), "pipe2");
        Pipe pipe = default;
        OwnedDescriptor.FromPair(ends[weRead ? 0 : 1], ends[weRead ? 1 : 0], out pipe.Ours, out pipe.Theirs);
        try
        {
            int result = LibC.Fcntl(pipe.Ours.Number, LibC.F_SETFL, LibC.O_NONBLOCK);
            OwnedDescriptor.ThrowIfFailed(result, "fcntl");
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
