using System;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux;

/// <summary>Reads a child's output into its sink. Whoever watches the pipe calls, with the child's gate held.</summary>
[SupportedOSPlatform("linux")]
internal static class PipeReader
{
    private const int ScratchSize = LargePipes.DefaultSize;

    // What is read in one turn, in bytes, before others have theirs: all that an ended child can have left in a pipe.
    private const int LongestTurn = LargePipes.Largest;

    /// <summary>Reads once, and closes a pipe that has come to its end.</summary>
    /// <returns>The number of bytes. None: the pipe is empty or has just been closed.</returns>
    public static int Read(ref WatchedDescriptor pipe, OutputSink sink, EpollReactor reactor)
    {
        byte[] scratch = Buffers.Rent(ScratchSize);
        Span<byte> room = sink.Room;
        int count = PipeTransfer.Read(pipe.Number, room, scratch, out bool hasEnded);
        if (count > 0)
        {
            pipe.NoteRead(count);
            int direct = Math.Min(count, room.Length);
            sink.Commit(direct);
            sink.Append(scratch.AsSpan(0, count - direct));
        }
        else if (hasEnded)
        {
            pipe.Close(reactor);
        }

        Buffers.Return(scratch);
        return count;
    }

    /// <summary>Reads until the pipe is empty or closed.</summary>
    public static void Drain(ref WatchedDescriptor pipe, OutputSink sink, EpollReactor reactor)
    {
        int total = 0;
        while (pipe.IsOpen && total < LongestTurn)
        {
            int count = Read(ref pipe, sink, reactor);
            if (count == 0)
            {
                return;
            }

            total += count;
        }
    }
}
