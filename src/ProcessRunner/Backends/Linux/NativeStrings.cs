using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using ProcessRunner.Faults;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// A null-terminated array of UTF-8 strings in native memory, as exec takes its arguments and its environment. Its
/// strings are its own, or those of another array that outlives it. For one thread; freed by <see cref="Dispose"/>, and
/// a field or a local of its one owner, never copied.
/// </summary>
[SupportedOSPlatform("linux")]
internal unsafe struct NativeStrings : IDisposable
{
    // Those of another array by their address, ours by their offset in _text, which moves while it grows.
    private nint* _entries;
    private int _count;
    private int _ownFrom;
    private int _room;
    private byte* _text;
    private int _length;
    private int _capacity;

    /// <summary>The number of strings.</summary>
    public readonly int Count => _count;

    /// <summary>Takes over a string of another array. Only before the first string of its own.</summary>
    public void Borrow(byte* text)
    {
        Push((nint)text);
        _ownFrom = _count;
    }

    /// <summary>Adds a string that consists of some parts.</summary>
    public void Add(params ReadOnlySpan<string> parts)
    {
        Begin();
        foreach (string part in parts)
        {
            Append(part);
        }

        End();
    }

    /// <summary>Begins a string of its own.</summary>
    public void Begin() => Push(_length);

    /// <summary>Adds to the string that was begun.</summary>
    public void Append(ReadOnlySpan<char> part)
    {
        Reserve(Encoding.UTF8.GetMaxByteCount(part.Length));
        _length += Encoding.UTF8.GetBytes(part, new Span<byte>(_text + _length, _capacity - _length));
    }

    /// <summary>Ends the string that was begun.</summary>
    public void End()
    {
        Reserve(1);
        _text[_length++] = 0;
    }

    /// <summary>The array itself. Nothing may be added after it was asked for.</summary>
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
