using System.Runtime.Versioning;
using ProcessRunner.Backends.Reactors;

namespace ProcessRunner.Backends.Linux.Io;

/// <summary>
/// Represents this process's end of a child's standard input, which is fed until the feed is complete or the child
/// stops reading. A field of the child, never copied. Guarded by the child's gate.
/// </summary>
[SupportedOSPlatform("linux")]
internal struct InputPipe(OwnedDescriptor descriptor)
{
    // The number of bytes written to one child before other children have their turn.
    private const int LongestTurn = PipeSizeBudget.Largest;

    private WatchedDescriptor _pipe = new(descriptor, EventPart.Input);

    /// <summary>
    /// Begins to write. A short input fits into the empty pipe at once, and no thread is woken for it.
    /// </summary>
    public void Begin(InputFeed feed, EpollReactor reactor, ulong token)
    {
        if (_pipe.IsOpen)
        {
            Write(feed, reactor, token);
            _pipe.Register(reactor, token, isWatched: !feed.Pending.IsEmpty);
        }
    }

    /// <summary>Writes the bytes that the feed has, as far as the pipe takes them.</summary>
    public void Write(InputFeed feed, EpollReactor reactor, ulong token)
    {
        int total = 0;
        while (total < LongestTurn && feed.Pending is { IsEmpty: false } pending)
        {
            int count = PipeTransfer.Write(_pipe.Number, pending.Span, out bool isClosed);
            if (isClosed)
            {
                // A child may stop reading early.
                Close(feed, reactor);
                return;
            }

            if (count == 0)
            {
                return;
            }

            feed.Advance(count);
            total += count;
        }

        if (feed.Pending.IsEmpty && feed.IsComplete)
        {
            Close(feed, reactor);
        }
        else if (feed.Pending.IsEmpty)
        {
            _pipe.Unwatch(reactor, token);
        }
    }

    /// <summary>Closes the pipe. The feed is not read any further.</summary>
    public void Close(InputFeed? feed, EpollReactor reactor)
    {
        if (_pipe.IsOpen)
        {
            _pipe.Close(reactor);
            feed?.Abandon();
        }
    }

    /// <inheritdoc cref="WatchedDescriptor.IsWatchedBy"/>
    public readonly bool IsWatchedBy(DescriptorWatcher watcher) => _pipe.IsWatchedBy(watcher);

    /// <inheritdoc cref="WatchedDescriptor.TryWatch"/>
    public bool TryWatch(EpollReactor reactor, ulong token) => _pipe.TryWatch(reactor, token);

    /// <inheritdoc cref="WatchedDescriptor.TryWatchAgain"/>
    public bool TryWatchAgain(EpollReactor reactor, ulong token) => _pipe.TryWatchAgain(reactor, token);
}
