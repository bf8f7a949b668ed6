using System;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Reactors;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// Represents this process's ends of a child's channels. The reactor watches them, even while a waiting thread serves
/// the child. Guarded by the child's gate, and owned by the child.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class LinuxChannels
{
    private readonly int[] _numbers;
    private readonly WatchedDescriptor[] _pipes;

    /// <param name="numbers">The numbers of the channels that are pipes.</param>
    public LinuxChannels(int[] numbers)
    {
        _numbers = numbers;
        _pipes = new WatchedDescriptor[numbers.Length];
    }

    /// <summary>Gets the number of channels that are pipes.</summary>
    public int Count => _pipes.Length;

    /// <summary>Gets whether a pipe holds output that has not been read yet.</summary>
    public bool HaveUnread
    {
        get
        {
            bool haveUnread = false;
            foreach (ref WatchedDescriptor pipe in _pipes.AsSpan())
            {
                haveUnread |= pipe.HasUnread;
            }

            return haveUnread;
        }
    }

    /// <summary>Returns the source of a channel's events.</summary>
    public static EventPart SourceOf(int number) => EventPart.Channel + (byte)(number - LaunchChannel.Lowest);

    /// <summary>Returns the channel that an event belongs to.</summary>
    public static int NumberOf(EventPart source) => source - EventPart.Channel + LaunchChannel.Lowest;

    /// <summary>Returns the number of the channel at an index.</summary>
    public int NumberAt(int index) => _numbers[index];

    /// <summary>Returns the pipe at an index.</summary>
    public ref WatchedDescriptor At(int index) => ref _pipes[index];

    /// <summary>Returns whether the channel is a pipe whose writing end a process still holds open.</summary>
    public bool IsOpen(int number) => IndexOf(number) is int index and >= 0 && _pipes[index].IsOpen;

    /// <summary>Returns the index of a channel; -1 if it is not a pipe.</summary>
    public int IndexOf(int number) => Array.IndexOf(_numbers, number);

    /// <summary>Takes our end of a channel over. Allocates no memory.</summary>
    public void Adopt(int number, OwnedDescriptor pipe) =>
        _pipes[IndexOf(number)] = new WatchedDescriptor(pipe, SourceOf(number));

    public void Register(EpollReactor reactor, ulong token)
    {
        foreach (ref WatchedDescriptor pipe in _pipes.AsSpan())
        {
            pipe.Register(reactor, token, isWatched: true);
        }
    }

    /// <inheritdoc cref="WatchedDescriptor.TryWatch"/>
    public bool TryWatch(EpollReactor reactor, ulong token)
    {
        bool areWatched = true;
        foreach (ref WatchedDescriptor pipe in _pipes.AsSpan())
        {
            areWatched &= pipe.TryWatch(reactor, token);
        }

        return areWatched;
    }

    /// <inheritdoc cref="WatchedDescriptor.TryWatchAgain"/>
    public bool TryWatchAgain(EpollReactor reactor, ulong token)
    {
        bool areWatched = true;
        foreach (ref WatchedDescriptor pipe in _pipes.AsSpan())
        {
            areWatched &= pipe.TryWatchAgain(reactor, token);
        }

        return areWatched;
    }

    public void Close(EpollReactor reactor)
    {
        foreach (ref WatchedDescriptor pipe in _pipes.AsSpan())
        {
            pipe.Close(reactor);
        }
    }
}
