using System;
using System.Collections;
using System.Collections.Generic;

namespace ProcessRunner.Backends.Portable;

/// <inheritdoc/>
internal sealed class PortableEnvironment : InheritedEnvironment
{
    private readonly KeyValuePair<string, string?>[] _variables;

    private PortableEnvironment(KeyValuePair<string, string?>[] variables) => _variables = variables;

    /// <summary>Takes the environment of this moment.</summary>
    public static PortableEnvironment Take()
    {
        IDictionary variables = Environment.GetEnvironmentVariables();
        KeyValuePair<string, string?>[] copy = new KeyValuePair<string, string?>[variables.Count];
        int count = 0;
        foreach (DictionaryEntry variable in variables)
        {
            copy[count++] = new((string)variable.Key, (string?)variable.Value);
        }

        return new PortableEnvironment(copy);
    }

    /// <summary>Replaces the variables of a start by those of this environment.</summary>
    public void CopyTo(IDictionary<string, string?> target)
    {
        target.Clear();
        foreach ((string name, string? value) in _variables)
        {
            target[name] = value;
        }
    }
}
