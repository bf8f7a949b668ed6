using System;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Io;

/// <summary>
/// Provides the reads of a child's output into its sink. The thread that watches the pipe calls them with the child's
/// gate held.
/// </summary>
[SupportedOSPlatform("linux")]
internal static class PipeDrain
{
    private const int ScratchSize = PipeSizeBudget.DefaultSize;

    // The number of bytes read in one turn before the kernel is asked how many are left: more than most pipes hold.
    private const int LongestTurn = PipeSizeBudget.Largest;

    /// <summary>Reads once, and closes a pipe at its end.</summary>
    /// <returns>The number of bytes; zero if the pipe is empty or has just been closed.</returns>
    public static int Read(ref WatchedDescriptor pipe, OutputSink sink, EpollReactor reactor)
    {
        byte[] scratch = Buffers.Rent(ScratchSize);
        Span<byte> room = sink.GetRoom();
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
    /// Reads all that the pipe holds at this moment, or closes it at its end. The amount is limited because a child can
    /// make its pipe as large as it likes (F_SETPIPE_SZ), and another process can continue to write into it.
    /// </summary>
    public static void Drain(ref WatchedDescriptor pipe, OutputSink sink, EpollReactor reactor)
    {
        if (pipe.IsOpen && !TryDrain(ref pipe, sink, reactor, LongestTurn))
        {
            // Reading one byte more than the pipe holds reveals its end.
            TryDrain(ref pipe, sink, reactor, LibC.CountUnread(pipe.Number) + 1);
        }
    }

    // Returns false if at least the given number of bytes has been read and the pipe was not seen empty.
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
