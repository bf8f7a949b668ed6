using System;
using System.ComponentModel;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Io;

/// <summary>
/// Represents a pipe between a child and this process. Both ends are close-on-exec. Our end is non-blocking, and the
/// child's end blocks, as programs expect. The owner moves <see cref="Ours"/> out or closes both ends.
/// </summary>
[SupportedOSPlatform("linux")]
internal struct LinuxPipe
{
    // .NET ends the program ("Out of memory.") if a thread of the runtime finds no descriptors when it begins: it needs
    // one and then two, for a moment. The pidfd takes another one.
    private const int LeftFree = 4;

    // Below this limit the runtime itself takes nearly all, and a run needs what is left.
    private const int SmallLimit = 128;

    public OwnedDescriptor Ours;
    public OwnedDescriptor Theirs;

    /// <exception cref="Win32Exception">
    /// The process or the system is out of descriptors, but for the few that this process itself needs.
    /// </exception>
    public static LinuxPipe Open(bool weRead)
    {
        LinuxPipe pipe = default;
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
            pipe.ThrowIfAmongTheLast();
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

    // The kernel gives a new descriptor the lowest free number. So low numbers say enough, and no limit is read.
    private readonly void ThrowIfAmongTheLast()
    {
        int highest = Math.Max(Ours.Number, Theirs.Number);
        if (highest >= SmallLimit - LeftFree
            && LibC.SoftLimitOf(LibC.RLIMIT_NOFILE) is >= SmallLimit and long limit
            && highest >= limit - LeftFree)
        {
            throw new Win32Exception(Errno.EMFILE, "the descriptors left are for the runtime");
        }
    }
}
