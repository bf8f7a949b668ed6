using System;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>Reads a child's output into its sink. Whoever watches the pipe calls, with the child's gate held.</summary>
[SupportedOSPlatform("linux")]
internal static class PipeReader
{
    private const int ScratchSize = LargePipes.DefaultSize;

    // What is read in one turn, in bytes, before it is asked how much is left: more than most pipes hold.
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

    /// <summary>
    /// Reads all that the pipe holds at this moment, or closes it at its end. A child can have made its pipe as large as it likes
    /// (F_SETPIPE_SZ), and another process can go on writing into it.
    /// </summary>
    public static void Drain(ref WatchedDescriptor pipe, OutputSink sink, EpollReactor reactor)
    {
        if (pipe.IsOpen && !TryDrain(ref pipe, sink, reactor, LongestTurn))
        {
            // One read more than what is there sees the end.
            TryDrain(ref pipe, sink, reactor, LibC.CountUnread(pipe.Number) + 1);
        }
    }

    // False if it has read so many bytes, at least, and has not seen the pipe empty.
    private static bool TryDrain(ref WatchedDescriptor pipe, OutputSink sink, EpollReactor reactor, int limit)
    {
        int count;
        for (int total = 0; total < limit; total += count)
        {
            count = Read(ref pipe, sink, reactor);
            if (count == 0)
            {
                return true;
            }
        }

        return false;
    }
}
