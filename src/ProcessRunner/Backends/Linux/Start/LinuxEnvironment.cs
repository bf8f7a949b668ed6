using System;
using System.Collections;
using System.Globalization;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Backends.Linux.Processes;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Represents the environment of this process at one moment, in native memory and in the form that exec takes. It is a
/// copy of .NET's own environment, which <see cref="Environment.SetEnvironmentVariable(string, string)"/> changes, not
/// of the C library's environ. Immutable.
/// </summary>
/// <remarks>
/// A user of the strings must keep this object alive. The finalizer frees them after the last user, because a start may
/// be in progress while its engine is disposed. The most recent object is reused as long as nothing has changed. It
/// belongs to the process, as the environment does. Volatile accesses guard it; threads that find a change at the same
/// time encode it twice.
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

    /// <summary>Returns the environment of this moment.</summary>
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
    /// <param name="inherited">The environment that the child inherits, or null.</param>
    /// <param name="plan">The plan with the changes.</param>
    /// <param name="mark">The mark that the child and its descendants carry.</param>
    /// <param name="slot">The variable that passes the child its slot in a batch.</param>
    /// <returns>The strings, some of which belong to <paramref name="inherited"/>.</returns>
    public static NativeStrings Compose(
        LinuxEnvironment? inherited, ILaunchPlan plan, ChildMark mark, SlotVariable slot)
    {
        NativeStrings strings = default;
        try
        {
            Compose(ref strings, inherited, plan, mark, slot);
            return strings;
        }
        catch (OutOfMemoryException)
        {
            strings.Dispose();
            throw;
        }
    }

    private static void Compose(
        ref NativeStrings strings, LinuxEnvironment? inherited, ILaunchPlan plan, ChildMark mark, SlotVariable slot)
    {
        inherited?.Lend(ref strings, plan, mark, slot);
        if (plan.Environment.Count > 0)
        {
            foreach ((string name, string? value) in plan.Environment)
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
    }

    private static void AppendNumber(ref NativeStrings strings, uint number, ReadOnlySpan<char> format)
    {
        Span<char> digits = stackalloc char[MostDigits];
        number.TryFormat(digits, out int count, format, CultureInfo.InvariantCulture);
        strings.Append(digits[..count]);
    }

    // Compares in enumeration order: the strings are new each time, but their order is not.
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

    private void Lend(ref NativeStrings strings, ILaunchPlan plan, ChildMark mark, SlotVariable slot)
    {
        bool hasChanges = plan.Environment.Count > 0;
        for (int i = 0; i < _names.Length; i++)
        {
            bool isReplaced = (i == _markIndex && !mark.IsNone)
                || (slot.Name is not null && _names[i] == slot.Name)
                || (hasChanges && plan.Environment.ContainsKey(_names[i]));
            if (!isReplaced)
            {
                strings.Borrow(_variables[i]);
            }
        }
    }
}
