using System;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Backends.Windows.Io;

namespace ProcessRunner.Backends.Windows;

/// <summary>
/// Represents this process's ends of a child's channels. Guarded by the child's gate, and owned by the child.
/// </summary>
/// <param name="numbers">The numbers of the channels that are pipes.</param>
[SupportedOSPlatform("windows")]
internal sealed class WindowsChannels(int[] numbers)
{
    private readonly OwnedHandle[] _handles = new OwnedHandle[numbers.Length];
    private readonly OutputPipe[] _pipes = new OutputPipe[numbers.Length];

    /// <summary>Gets the numbers of the channels that are pipes.</summary>
    public ReadOnlySpan<int> Numbers => numbers;

    /// <summary>Gets whether a pipe holds unread bytes.</summary>
    public bool HaveUnread
    {
        get
        {
            bool haveUnread = false;
            foreach (ref OutputPipe pipe in _pipes.AsSpan())
            {
                haveUnread |= pipe.HasUnread;
            }

            return haveUnread;
        }
    }

    /// <summary>Returns the channel that an event belongs to.</summary>
    public static int NumberOf(EventPart source) => source - EventPart.Channel + LaunchChannel.Lowest;

    /// <summary>Takes ownership of our end of a channel.</summary>
    public void Adopt(int number, ref OwnedHandle ours) => _handles[Array.IndexOf(numbers, number)] = ours.Take();

    /// <summary>Gives the pipes the token of their child.</summary>
    public void SetToken(ulong token)
    {
        for (int i = 0; i < _pipes.Length; i++)
        {
            EventPart source = EventPart.Channel + (byte)(numbers[i] - LaunchChannel.Lowest);
            _pipes[i] = new OutputPipe(_handles[i].Take(), EventToken.With(token, source));
        }
    }

    /// <summary>Returns whether the channel is a pipe.</summary>
    public bool Has(int number) => Array.IndexOf(numbers, number) >= 0;

    /// <summary>Returns the pipe of a channel that has one.</summary>
    public ref OutputPipe Of(int number) => ref _pipes[Array.IndexOf(numbers, number)];

    public void Associate(CompletionReactor reactor)
    {
        foreach (ref OutputPipe pipe in _pipes.AsSpan())
        {
            pipe.Associate(reactor);
        }
    }

    public void Close()
    {
        foreach (ref OutputPipe pipe in _pipes.AsSpan())
        {
            pipe.Close();
        }
    }
}
