using System;
using System.Collections;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// A null-terminated array of UTF-8 strings in native memory, as exec takes its arguments and its environment.
/// For one thread; freed by <see cref="Dispose"/>.
/// </summary>
[SupportedOSPlatform("linux")]
internal unsafe ref struct NativeStrings
{
    private byte* _text;
    private int _length;
    private int _capacity;
    private int _count;
    private byte** _pointers;

    public NativeStrings(params ReadOnlySpan<string> strings)
    {
        foreach (string text in strings)
        {
            Add(text);
        }
    }

    /// <summary>The array itself; nothing may be added after it was asked for.</summary>
    public byte** Pointers
    {
        get
        {
            if (_pointers == null)
            {
                _pointers = (byte**)NativeMemory.Alloc((nuint)(_count + 1), (nuint)sizeof(byte*));
                byte* next = _text;
                for (int i = 0; i < _count; i++)
                {
                    _pointers[i] = next;
                    next += MemoryMarshal.CreateReadOnlySpanFromNullTerminated(next).Length + 1;
                }

                _pointers[_count] = null;
            }

            return _pointers;
        }
    }

    /// <summary>The name of the program as it was given, then the arguments.</summary>
    public static NativeStrings OfArguments(ProcessCommand command)
    {
        NativeStrings strings = new(command.FileName);
        foreach (string argument in command.Arguments)
        {
            strings.Add(argument);
        }

        return strings;
    }

    /// <summary>
    /// The caller's environment with the command's changes and the mark. It is .NET's own copy, which
    /// <see cref="Environment.SetEnvironmentVariable(string, string)"/> changes; the C library's environ is not.
    /// </summary>
    public static NativeStrings OfEnvironment(ProcessCommand command, string? mark)
    {
        NativeStrings strings = default;
        string? inheritedMark = null;
        if (command.InheritEnvironment)
        {
            IDictionaryEnumerator inherited = Environment.GetEnvironmentVariables().GetEnumerator();
            while (inherited.MoveNext())
            {
                string name = (string)inherited.Key;
                string value = (string?)inherited.Value ?? "";
                if (mark is not null && name == ChildMark.VariableName)
                {
                    inheritedMark = value;
                }
                else if (!command.Environment.ContainsKey(name))
                {
                    strings.Add(name, "=", value);
                }
            }
        }

        foreach ((string name, string? value) in command.Environment)
        {
            if (value is not null)
            {
                strings.Add(name, "=", value);
            }
        }

        if (mark is not null)
        {
            strings.Add(ChildMark.VariableName, "=", ChildMark.Chain(inheritedMark, mark));
        }

        return strings;
    }

    public void Dispose()
    {
        NativeMemory.Free(_text);
        NativeMemory.Free(_pointers);
        this = default;
    }

    private void Add(params ReadOnlySpan<string> parts)
    {
        foreach (string part in parts)
        {
            Reserve(Encoding.UTF8.GetMaxByteCount(part.Length) + 1);
            _length += Encoding.UTF8.GetBytes(part, new Span<byte>(_text + _length, _capacity - _length));
        }

        _text[_length++] = 0;
        _count++;
    }

    private void Reserve(int bytes)
    {
        if (_capacity - _length < bytes)
        {
            _capacity = Math.Max(checked(_length + bytes), Math.Max(512, _capacity * 2));
            _text = (byte*)NativeMemory.Realloc(_text, (nuint)_capacity);
        }
    }
}
