using System;
using System.Collections;
using System.Globalization;
using System.Runtime.Versioning;
using System.Threading;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// The environment of this process at one moment as exec takes it, in native memory. It is .NET's own copy, which
/// <see cref="Environment.SetEnvironmentVariable(string, string)"/> changes; the C library's environ is not. Immutable.
/// </summary>
/// <remarks>
/// Whoever uses the strings keeps it alive: the last one who does frees them, which is the finalizer's work, since a start
/// may be under way while its engine is disposed. The last one taken is given again while nothing has changed.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class LinuxEnvironment : InheritedEnvironment
{
    private const int MostDigits = 10;

    private static LinuxEnvironment? s_last;

    private readonly string[] _names;
    private readonly string[] _values;
    private readonly byte** _variables;
    private readonly int _markIndex = -1;
    private readonly string? _markChain;
    private NativeStrings _text;

    private LinuxEnvironment(IDictionary variables)
    {
        _names = new string[variables.Count];
        _values = new string[variables.Count];
        IDictionaryEnumerator inherited = variables.GetEnumerator();
        for (int i = 0; inherited.MoveNext(); i++)
        {
            string value = (string?)inherited.Value ?? "";
            _names[i] = (string)inherited.Key;
            _values[i] = value;
            _text.Add(_names[i], "=", value);
            if (_names[i] == ChildMark.VariableName)
            {
                _markIndex = i;
                _markChain = value;
            }
        }

        _variables = _text.ToArray();
    }

    ~LinuxEnvironment() => _text.Dispose();

    /// <summary>Takes the environment of this moment.</summary>
    public static LinuxEnvironment Take()
    {
        IDictionary variables = Environment.GetEnvironmentVariables();
        LinuxEnvironment? last = Volatile.Read(ref s_last);
        if (last is null || !last.Has(variables))
        {
            last = new LinuxEnvironment(variables);
            Volatile.Write(ref s_last, last);
        }

        return last;
    }

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

    private static void AppendNumber(ref NativeStrings strings, uint number, ReadOnlySpan<char> format)
    {
        Span<char> digits = stackalloc char[MostDigits];
        number.TryFormat(digits, out int count, format, CultureInfo.InvariantCulture);
        strings.Append(digits[..count]);
    }

    // The strings are new each time, but their order is not.
    private bool Has(IDictionary variables)
    {
        if (variables.Count != _names.Length)
        {
            return false;
        }

        IDictionaryEnumerator others = variables.GetEnumerator();
        for (int i = 0; others.MoveNext(); i++)
        {
            if (!_names[i].Equals(others.Key) || !_values[i].Equals(others.Value ?? ""))
            {
                return false;
            }
        }

        return true;
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
