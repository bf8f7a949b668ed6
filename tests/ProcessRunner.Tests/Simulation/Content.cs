using System;

namespace ProcessRunner.Tests.Simulation;

/// <summary>
/// Provides the bytes of every simulated stream. A byte depends on its stream and its place there, so that a lost, a
/// repeated or a misplaced one is found. About each twentieth is the end of a line.
/// </summary>
internal static class Content
{
    private const int Period = 1 << 20;

    // Two periods, so that any piece of a stream lies in one piece.
    private static readonly byte[] s_bytes = Create();

    /// <summary>Returns the bytes at a place of a stream.</summary>
    public static ReadOnlySpan<byte> At(int stream, long place, int count) =>
        s_bytes.AsSpan(IndexOf(stream, place), count);

    /// <summary>Returns the first bytes of a stream.</summary>
    public static ReadOnlyMemory<byte> First(int stream, int count) => s_bytes.AsMemory(IndexOf(stream, 0), count);

    private static int IndexOf(int stream, long place) => (int)(((stream * 7919L) + place) % Period);

    private static byte[] Create()
    {
        Dice dice = new(1);
        byte[] bytes = new byte[2 * Period];
        for (int i = 0; i < Period; i++)
        {
            bytes[i] = bytes[i + Period] = dice.Below(20) == 0 ? (byte)'\n' : (byte)dice.Between(' ', '~');
        }

        return bytes;
    }
}
