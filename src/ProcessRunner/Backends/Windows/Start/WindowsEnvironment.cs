using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace ProcessRunner.Backends.Windows.Start;

/// <summary>
/// Represents the environment of this process at one moment, sorted as the system wants it: by the capital letters of
/// the names, in which case makes no difference. Immutable.
/// </summary>
internal sealed class WindowsEnvironment : InheritedEnvironment
{
    // A child without it cannot load the libraries that open sockets.
    private const string SystemRoot = "SystemRoot";

    private readonly KeyValuePair<string, string>[] _variables;
    private readonly string? _systemRoot;

    /// <summary>Creates an environment from variables.</summary>
    /// <param name="variables">The names and values, in any order.</param>
    public WindowsEnvironment(IDictionary variables)
    {
        _variables = new KeyValuePair<string, string>[variables.Count];
        int count = 0;
        foreach (DictionaryEntry variable in variables)
        {
            string name = (string)variable.Key;
            string value = (string?)variable.Value ?? "";
            _variables[count++] = new(name, value);
            _systemRoot = HaveSameName(name, SystemRoot) ? value : _systemRoot;
        }

        Array.Sort(_variables, CompareNames);
    }

    /// <summary>Takes the environment of this moment.</summary>
    public static WindowsEnvironment Take() => new(Environment.GetEnvironmentVariables());

    /// <summary>
    /// Composes the block of variables for a child. It has <c>SystemRoot</c>, whatever the plan inherits, unless the
    /// plan removes that variable itself.
    /// </summary>
    /// <param name="plan">The plan with the changes.</param>
    /// <param name="slot">The variable that passes the child its slot in a batch.</param>
    /// <param name="channels">The variables that pass the child the handles of its channels.</param>
    /// <returns>The variables, each with a NUL at its end, and one NUL more.</returns>
    public string Compose(
        ILaunchPlan plan, SlotVariable slot, params ReadOnlySpan<KeyValuePair<string, string?>> channels)
    {
        List<KeyValuePair<string, string?>> changes = Changes(plan, slot, channels);
        StringBuilder block = new();
        int next = 0;
        if (plan.InheritEnvironment)
        {
            foreach ((string name, string value) in _variables)
            {
                while (next < changes.Count && StringComparer.OrdinalIgnoreCase.Compare(changes[next].Key, name) < 0)
                {
                    Append(block, changes[next++]);
                }

                if (next == changes.Count || !HaveSameName(changes[next].Key, name))
                {
                    Append(block, new(name, value));
                }
            }
        }

        while (next < changes.Count)
        {
            Append(block, changes[next++]);
        }

        // A block without variables has both NULs as well.
        return block.Append(block.Length == 0 ? "\0\0" : "\0").ToString();
    }

    // Sorted, each name once: of names that differ by case alone, the last one in ordinal order counts.
    private List<KeyValuePair<string, string?>> Changes(
        ILaunchPlan plan, SlotVariable slot, ReadOnlySpan<KeyValuePair<string, string?>> channels)
    {
        List<KeyValuePair<string, string?>> changes = [.. plan.Environment];
        if (!plan.InheritEnvironment && _systemRoot is not null
            && !changes.Exists(change => HaveSameName(change.Key, SystemRoot)))
        {
            changes.Add(new(SystemRoot, _systemRoot));
        }

        if (slot.Name is not null)
        {
            changes.RemoveAll(change => HaveSameName(change.Key, slot.Name));
            changes.Add(new(slot.Name, slot.Slot.ToString(CultureInfo.InvariantCulture)));
        }

        foreach (KeyValuePair<string, string?> channel in channels)
        {
            changes.RemoveAll(change => HaveSameName(change.Key, channel.Key));
            changes.Add(channel);
        }

        changes.Sort(CompareNames);
        for (int i = changes.Count - 2; i >= 0; i--)
        {
            if (HaveSameName(changes[i].Key, changes[i + 1].Key))
            {
                changes.RemoveAt(i);
            }
        }

        return changes;
    }

    private static void Append(StringBuilder block, KeyValuePair<string, string?> variable)
    {
        if (variable.Value is not null)
        {
            block.Append(variable.Key).Append('=').Append(variable.Value).Append('\0');
        }
    }

    private static int CompareNames<T>(KeyValuePair<string, T> one, KeyValuePair<string, T> other)
    {
        int order = StringComparer.OrdinalIgnoreCase.Compare(one.Key, other.Key);
        return order != 0 ? order : string.CompareOrdinal(one.Key, other.Key);
    }

    private static bool HaveSameName(string one, string other) =>
        string.Equals(one, other, StringComparison.OrdinalIgnoreCase);
}
