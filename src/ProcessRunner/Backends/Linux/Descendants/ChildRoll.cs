using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text.Unicode;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Linux.Processes;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Descendants;

/// <summary>
/// Represents the record from which a guardian learns which children to kill when this process ends: a memory file with
/// one line per child, in a form that a shell can read. Each line is written by one system call that never blocks, so
/// every line is whole however this process ends.
/// </summary>
/// <remarks>
/// <para>A line holds the verdict (kill or spare), the number of the child within its engine, its process id and its
/// start time (field 22 in proc_pid_stat(5)). The start time distinguishes the child from a stranger that has received
/// the same id.</para>
/// <para>Each child of the engine keeps the file's descriptor open until its exec (<see cref="SpawnRequest.Kept"/>),
/// and by it the guardian finds the children that are still being started. The descriptor therefore keeps its number
/// until no child is left.</para>
/// <para><c>_gate</c> guards all state. It is acquired inside a child's gate, and no other lock is acquired inside it.
/// </para>
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class ChildRoll : IDisposable
{
    // A line of this length never crosses a page boundary, where a write could be cut off.
    private const int LineLength = 64;

    private readonly object _gate = new();
    private readonly Dictionary<uint, int> _lines = [];
    private readonly Stack<int> _free = [];
    private readonly ProcessTable _table = new();
    private OwnedDescriptor _file = AboveChannels(
        OwnedDescriptor.From(LibC.CreateMemoryFile("processrunner", LibC.MFD_CLOEXEC), "memfd_create"));
    private bool _isOpen;

    /// <summary>Gets the number of the file's descriptor.</summary>
    public int Descriptor => _file.Number;

    /// <summary>Starts accepting lines.</summary>
    public void Open()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _isOpen = true;
        }
    }

    /// <summary>Stops accepting lines and discards all of them.</summary>
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

    /// <summary>
    /// Records that a child is to be killed: by its mark, and by its process id as soon as it has one. The caller holds
    /// the child's gate.
    /// </summary>
    public void List(LinuxChild child)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (!_isOpen || child.IsExemptFromExitKill)
            {
                return;
            }

            Span<byte> line = stackalloc byte[LineLength];
            int length;
            if (child.FindProcessId(_table) is int processId
                && _table.ReadStat(processId, out ProcessStat stat) == ProcessSight.Clear)
            {
                Utf8.TryWrite(
                    line,
                    CultureInfo.InvariantCulture,
                    $"kill {child.Number:x8} {processId} {stat.StartTime}",
                    out length);
            }
            else
            {
                Utf8.TryWrite(line, CultureInfo.InvariantCulture, $"kill {child.Number:x8}", out length);
            }

            Write(child.Number, line, length);
        }
    }

    /// <summary>Records the process id of a child that is on the roll. Requires the child's gate.</summary>
    public void Update(LinuxChild child)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (_lines.ContainsKey(child.Number))
            {
                List(child);
            }
        }
    }

    /// <summary>
    /// Records that a child and every process that carries its mark are to live on. Requires the child's gate.
    /// </summary>
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

    /// <summary>
    /// Records that the processes left behind by a child that has ended are to be killed by its mark. Allocates no
    /// memory.
    /// </summary>
    public void ListMarkOnly(LinuxChild child)
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

    /// <summary>Removes a child that has ended. Allocates no memory.</summary>
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

    // A channel of a child must not take the number. Without a free one above, a child with that channel is not found
    // in its start.
    private static OwnedDescriptor AboveChannels(OwnedDescriptor file)
    {
        int copy = file.Number > LaunchChannel.Highest
            ? -1
            : LibC.Fcntl(file.Number, LibC.F_DUPFD_CLOEXEC, LaunchChannel.Highest + 1);
        if (copy < 0)
        {
            return file;
        }

        file.Close();
        return OwnedDescriptor.From(copy, "fcntl");
    }

    private void Write(uint number, Span<byte> line, int length)
    {
        if (!_lines.TryGetValue(number, out int place))
        {
            // Reserves the room that Remove needs, which must not allocate.
            _free.EnsureCapacity(_lines.Count + 1);
            place = _free.TryPeek(out int free) ? free : _lines.Count;
            _lines.Add(number, place);
            _free.TryPop(out _);
        }

        Write(place, line, length);
    }

    // If the kernel has no memory for the line, or a limit of the file's size forbids it, the guardian still finds the
    // child by its mark.
    private void Write(int place, Span<byte> line, int length)
    {
        line[length..^1].Fill((byte)' ');
        line[^1] = (byte)'\n';
        ulong* before = stackalloc ulong[FileSizeSignal.MaskWords];
        FileSizeSignal.Block(before);
        nint written;
        fixed (byte* first = line)
        {
            written = LibC.PWrite(_file.Number, first, LineLength, (long)place * LineLength);
        }

        FileSizeSignal.Restore(before, written < 0 ? Marshal.GetLastPInvokeError() : 0);
    }
}
