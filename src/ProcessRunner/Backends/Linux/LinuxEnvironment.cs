using System;
using System.Collections;
using System.Globalization;
using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// The environment of this process at one moment as exec takes it, in native memory. It is .NET's own copy, which
/// <see cref="Environment.SetEnvironmentVariable(string, string)"/> changes; the C library's environ is not. Immutable.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class LinuxEnvironment : InheritedEnvironment
{
    private const int MostDigits = 10;

    private readonly string[] _names;
    private readonly byte** _variables;
    private readonly int _markIndex = -1;
    private readonly string? _markChain;
    private NativeStrings _text;

    private LinuxEnvironment(IDictionary variables)
    {
        _names = new string[variables.Count];
        IDictionaryEnumerator inherited = variables.GetEnumerator();
        for (int i = 0; inherited.MoveNext(); i++)
        {
            string value = (string?)inherited.Value ?? "";
            _names[i] = (string)inherited.Key;
            _text.Add(_names[i], "=", value);
            if (_names[i] == ChildMark.VariableName)
            {
                _markIndex = i;
                _markChain = value;
            }
        }

        _variables = _text.ToArray();
    }

    /// <summary>Takes the environment of this moment.</summary>
    public static LinuxEnvironment Take() => new(Environment.GetEnvironmentVariables());

    /// <summary>Composes the environment of a child.</summary>
    /// <param name="inherited">What it inherits, or null.</param>
    /// <param name="command">Has the changes.</param>
    /// <param name="mark">What its descendants are to carry.</param>
    /// <param name="slot">What it is told of its batch.</param>
    /// <returns>Strings that partly belong to <paramref name="inherited"/>.</returns>
    public static NativeStrings Compose(LinuxEnvironment? inherited, ProcessCommand command, ChildMark mark, SlotVariable slot)
    {
        NativeStrings strings = default;
        inherited?.Lend(ref strings, command, mark, slot);
        if (command.Environment.Count > 0)
        {
            foreach ((string name, string? value) in command.Environment)
            {
                if (value is not null && name != slot.Name)
                {
                    strings.Add(name, "=", value);
                }
            }
        }

        if (slot.Name is not null)
        {
            strings.Begin();
            strings.Append(slot.Name);
            strings.Append("=");
            AppendNumber(ref strings, (uint)slot.Slot, "");
            strings.End();
        }

        if (!mark.IsNone)
        {
            string chain = inherited?._markChain ?? "";
            strings.Begin();
            strings.Append(ChildMark.VariableName);
            strings.Append("=");
            strings.Append(chain);
            strings.Append(chain.Length > 0 ? ":" : "");
            strings.Append(mark.Prefix);
            AppendNumber(ref strings, mark.Number, ChildMark.NumberFormat);
            strings.End();
        }

        return strings;
    }

    // The environment of an engine may be in use by a start while the engine is disposed: whoever uses it last frees it.
    ~LinuxEnvironment() => _text.Dispose();

    public override void Dispose()
    {
        _text.Dispose();
        GC.SuppressFinalize(this);
    }

    private static void AppendNumber(ref NativeStrings strings, uint number, ReadOnlySpan<char> format)
    {
        Span<char> digits = stackalloc char[MostDigits];
        number.TryFormat(digits, out int count, format, CultureInfo.InvariantCulture);
        strings.Append(digits[..count]);
    }

    private void Lend(ref NativeStrings strings, ProcessCommand command, ChildMark mark, SlotVariable slot)
    {
        bool hasChanges = command.Environment.Count > 0;
        for (int i = 0; i < _names.Length; i++)
        {
            bool isReplaced = (i == _markIndex && !mark.IsNone)
                || (slot.Name is not null && _names[i] == slot.Name)
                || (hasChanges && command.Environment.ContainsKey(_names[i]));
            if (!isReplaced)
            {
                strings.Borrow(_variables[i]);
            }
        }
    }
}
