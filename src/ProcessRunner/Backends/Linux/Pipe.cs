using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// A pipe between a child and us. Both ends are close-on-exec; ours does not block, the child's does, as programs expect.
/// Its owner moves <see cref="Ours"/> out or closes both.
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

    /// <summary>Hands our end over to another owner.</summary>
    public OwnedDescriptor TakeOurs()
    {
        OwnedDescriptor ours = Ours;
        Ours = default;
        return ours;
    }
}
