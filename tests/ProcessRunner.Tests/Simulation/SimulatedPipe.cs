using System;
using System.Collections.Generic;

namespace ProcessRunner.Tests.Simulation;

/// <summary>
/// Represents a pipe: at most so many bytes on their way from its writers to its reader. The bytes are those of its
/// stream (<see cref="Content"/>), so the pipe itself only counts.
/// </summary>
internal sealed class SimulatedPipe(int stream, int capacity)
{
    private readonly List<SimulatedProcess> _waiting = [];

    /// <summary>Gets the stream whose bytes the pipe carries.</summary>
    public int Stream => stream;

    /// <summary>Gets the number of bytes that have been written so far.</summary>
    public long Written { get; private set; }

    /// <summary>Gets the number of bytes that have been read so far.</summary>
    public long Taken { get; private set; }

    public int Unread => (int)(Written - Taken);

    public int Room => capacity - Unread;

    /// <summary>Gets the number of processes that can still write.</summary>
    public int Writers { get; private set; } = 1;

    public bool HasReader { get; private set; } = true;

    /// <summary>Gets or sets what tells this process's end of the pipe of every change, or null.</summary>
    public Action? Changed { private get; set; }

    public void AddWriter() => Writers++;

    public void RemoveWriter()
    {
        Writers--;
        Tell();
    }

    public void CloseReader()
    {
        HasReader = false;
        Tell();
    }

    /// <summary>Writes as many of the next bytes of the stream as there is room for.</summary>
    /// <returns>Their number.</returns>
    public int Write(int most)
    {
        int count = Math.Min(most, Room);
        Written += count;
        if (count > 0)
        {
            Tell();
        }

        return count;
    }

    /// <summary>Writes bytes that somebody else provides, and that must be the next ones of the stream.</summary>
    /// <returns>Their number, as far as there is room.</returns>
    public int Write(ReadOnlySpan<byte> bytes)
    {
        World.Require(
            bytes.SequenceEqual(Content.At(stream, Written, bytes.Length)),
            $"The input is the user's: the bytes at {Written} differ.");
        return Write(bytes.Length);
    }

    /// <summary>Reads bytes.</summary>
    /// <returns>Their number.</returns>
    public int Read(Span<byte> room)
    {
        int count = Math.Min(room.Length, Unread);
        Content.At(stream, Taken, count).CopyTo(room);
        Skip(count);
        return count;
    }

    /// <summary>Reads bytes that nobody looks at.</summary>
    public void Skip(int count)
    {
        Taken += count;
        if (count > 0)
        {
            Tell();
        }
    }

    /// <summary>Has the process told of the next change.</summary>
    public void Await(SimulatedProcess process) => _waiting.Add(process);

    private void Tell()
    {
        foreach (SimulatedProcess process in _waiting)
        {
            process.Wake();
        }

        _waiting.Clear();
        Changed?.Invoke();
    }
}
