using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Faults;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Represents a null-terminated array of UTF-8 strings in native memory, in the form in which exec takes its arguments
/// and its environment. A string belongs to this array, or to another array that outlives it. Not thread-safe. The
/// array is a field or a local variable of one owner, is never copied, and is freed by <see cref="Dispose"/>.
/// </summary>
[SupportedOSPlatform("linux")]
internal unsafe struct NativeStrings : IDisposable
{
    // An address for a string of another array; an offset in _text, which moves as it grows, for an own string.
    private nint* _entries;
    private int _count;
    private int _ownFrom;
    private int _room;
    private byte* _text;
    private int _length;
    private int _capacity;

    /// <summary>Gets the number of strings.</summary>
    public readonly int Count => _count;

    /// <summary>
    /// Adds a string that belongs to another array. Allowed only before the array's first own string.
    /// </summary>
    public void Borrow(byte* text)
    {
        Push((nint)text);
        _ownFrom = _count;
    }

    /// <summary>Adds an own string that consists of several parts.</summary>
    public void Add(params ReadOnlySpan<string> parts)
    {
        Begin();
        foreach (string part in parts)
        {
            Append(part);
        }

        End();
    }

    /// <summary>Begins an own string.</summary>
    public void Begin() => Push(_length);

    /// <summary>Appends to the string that was begun.</summary>
    public void Append(ReadOnlySpan<char> part)
    {
        Reserve(Encoding.UTF8.GetMaxByteCount(part.Length));
        Span<byte> room = new(_text + _length, _capacity - _length);
        _length += LoneByte.MayBeIn(part) ? LoneByte.GetBytes(part, room) : Encoding.UTF8.GetBytes(part, room);
    }

    /// <summary>Ends the string that was begun.</summary>
    public void End()
    {
        Reserve(1);
        _text[_length++] = 0;
    }

    /// <summary>Returns the array itself. No string may be added afterwards.</summary>
    public byte** ToArray()
    {
        Push(0);
        for (int i = _ownFrom; i < _count - 1; i++)
        {
            _entries[i] += (nint)_text;
        }

        return (byte**)_entries;
    }

    public void Dispose()
    {
        NativeMemory.Free(_text);
        NativeMemory.Free(_entries);
        this = default;
    }

    private void Push(nint entry)
    {
        if (_count == _room)
        {
            int room = Math.Max(16, _room * 2);
            _entries = (nint*)Reallocate(_entries, (nuint)room * (nuint)sizeof(nint));
            _room = room;
        }

        _entries[_count++] = entry;
    }

    private void Reserve(int bytes)
    {
        if (_capacity - _length < bytes)
        {
            int capacity = Math.Max(checked(_length + bytes), Math.Max(512, _capacity * 2));
            _text = (byte*)Reallocate(_text, (nuint)capacity);
            _capacity = capacity;
        }
    }

    private static void* Reallocate(void* memory, nuint size)
    {
        FaultPoint.Allocate("native memory");
        return NativeMemory.Realloc(memory, size);
    }
}
