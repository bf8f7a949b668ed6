using System.Runtime.Versioning;

using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// A child's descriptor together with whether the reactor's epoll watches it, so that it is taken out exactly once
/// before it is closed. A field of its one owner, never copied.
/// </summary>
[SupportedOSPlatform("linux")]
internal struct WatchedDescriptor(OwnedDescriptor descriptor)
{
    /// <summary>The size to which /proc/sys/fs/pipe-max-size by default allows a pipe to grow.</summary>
    public const int LargestPipe = 1024 * 1024;

    private const int DefaultPipe = 64 * 1024;
    private const int FullReadsBeforeGrowth = 16;

    private OwnedDescriptor _descriptor = descriptor;
    private bool _isWatched;
    private byte _fullReads;

    public readonly bool IsOpen => _descriptor.IsOpen;

    public readonly int Number => _descriptor.Number;

    /// <summary>Whether it is a pipe with something in it.</summary>
    public readonly bool HasUnread => IsOpen && LibC.CountUnread(Number) > 0;

    /// <summary>Has the reactor watch it, if it is open and is not watched already.</summary>
    public void Add(EpollReactor reactor, ulong token, uint interest = LibC.EPOLLIN)
    {
        if (IsOpen && !_isWatched)
        {
            reactor.Add(Number, token, interest);
            _isWatched = true;
        }
    }

    /// <summary>
    /// Takes note of what one read of a pipe has yielded. A writer that fills its pipe again and again gets a larger one,
    /// once; nobody else does, since an unprivileged user has 64 MiB for all pipes together (pipe(7)).
    /// </summary>
    public void NoteRead(nint count)
    {
        if (count < DefaultPipe || _fullReads == FullReadsBeforeGrowth || ++_fullReads < FullReadsBeforeGrowth)
        {
            return;
        }

        // Where the user's share is used up the pipe stays as it is.
        _ = LibC.Fcntl(Number, LibC.F_SETPIPE_SZ, LargestPipe);
    }

    public void Remove(EpollReactor reactor)
    {
        if (_isWatched)
        {
            reactor.Remove(Number);
            _isWatched = false;
        }
    }

    public void Close(EpollReactor reactor)
    {
        Remove(reactor);
        _descriptor.Close();
    }
}
