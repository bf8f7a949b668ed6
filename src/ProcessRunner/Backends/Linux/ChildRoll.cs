using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.Versioning;
using System.Text.Unicode;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// What a guardian must know of the children at the end of this process: a file in memory with a line for each, as a shell reads
/// them. A line takes one system call, which blocks for nobody, and is whole however this process ends.
/// </summary>
/// <remarks>
/// <para>A line says kill or spare, which child of the engine it is, and its process id and start time (field 22 in
/// proc_pid_stat(5)), by which a stranger who has got the id is passed over.</para>
/// <para>The file's descriptor stays open in each child of the engine until its exec (<see cref="SpawnRequest.Kept"/>): by that the
/// guardian finds those that are still in their start. So it keeps its number until no child is left.</para>
/// <para><c>_gate</c> guards everything. It is taken inside a child's gate, and nothing inside it.</para>
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class ChildRoll : IDisposable
{
    // No line crosses a page, at which a write could be cut off.
    private const int LineLength = 64;

    private readonly object _gate = new();
    private readonly Dictionary<uint, int> _lines = [];
    private readonly Stack<int> _free = [];
    private readonly ProcessTable _table = new();
    private OwnedDescriptor _file = OwnedDescriptor.From(LibC.CreateMemoryFile("processrunner", LibC.MFD_CLOEXEC), "memfd_create");
    private bool _isOpen;

    /// <summary>The number of the file.</summary>
    public int Descriptor => _file.Number;

    /// <summary>Takes lines from now on.</summary>
    public void Open()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _isOpen = true;
        }
    }

    /// <summary>Takes lines no longer, and forgets them.</summary>
    public void Clear()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _isOpen = false;
            _lines.Clear();
            _free.Clear();
            _ = LibC.Truncate(_file.Number, 0);
        }
    }

    /// <summary>Has a child killed: by its mark, and by its id as soon as it has one. With its gate held.</summary>
    public void Kill(LinuxChild child)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (!_isOpen || child.IsSpared)
            {
                return;
            }

            Span<byte> line = stackalloc byte[LineLength];
            int length;
            if (child.FindProcessId(_table) is int processId
                && _table.ReadStat(processId, out ProcessStat stat) == ProcessSight.Clear)
            {
                Utf8.TryWrite(
                    line, CultureInfo.InvariantCulture, $"kill {child.Number:x8} {processId} {stat.StartTime}", out length);
            }
            else
            {
                Utf8.TryWrite(line, CultureInfo.InvariantCulture, $"kill {child.Number:x8}", out length);
            }

            Write(child.Number, line, length);
        }
    }

    /// <summary>Has a child, and whatever carries its mark, live on. With its gate held.</summary>
    public void Spare(LinuxChild child)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (_isOpen)
            {
                Span<byte> line = stackalloc byte[LineLength];
                Utf8.TryWrite(line, CultureInfo.InvariantCulture, $"spare {child.Number:x8}", out int length);
                Write(child.Number, line, length);
            }
        }
    }

    /// <summary>Has what a child has left behind killed by its mark: the child itself has ended. Takes no memory.</summary>
    public void KillLeft(LinuxChild child)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (_lines.ContainsKey(child.Number))
            {
                Span<byte> line = stackalloc byte[LineLength];
                Utf8.TryWrite(line, CultureInfo.InvariantCulture, $"kill {child.Number:x8}", out int length);
                Write(child.Number, line, length);
            }
        }
    }

    /// <summary>Forgets a child that has ended. Takes no memory.</summary>
    public void Remove(LinuxChild child)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (_lines.Remove(child.Number, out int place))
            {
                Span<byte> line = stackalloc byte[LineLength];
                Write(place, line, 0);
                _free.Push(place);
            }
        }
    }

    public void Dispose()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _isOpen = false;
            _file.Close();
        }
    }

    private void Write(uint number, Span<byte> line, int length)
    {
        if (!_lines.TryGetValue(number, out int place))
        {
            // Whatever is on the roll can be taken from it without memory.
            _free.EnsureCapacity(_lines.Count + 1);
            place = _free.TryPeek(out int free) ? free : _lines.Count;
            _lines.Add(number, place);
            _free.TryPop(out _);
        }

        Write(place, line, length);
    }

    // Where there is no memory for it now the mark is left, by which the child is found as well.
    private void Write(int place, Span<byte> line, int length)
    {
        line[length..^1].Fill((byte)' ');
        line[^1] = (byte)'\n';
        fixed (byte* first = line)
        {
            _ = LibC.PWrite(_file.Number, first, LineLength, (long)place * LineLength);
        }
    }
}
