using System.Collections.Generic;
using Xunit.Abstractions;

namespace ProcessRunner.SuiteRunner;

/// <summary>Represents no options: the defaults of xUnit, and what an assembly says itself.</summary>
internal sealed class FrameworkOptions : ITestFrameworkDiscoveryOptions, ITestFrameworkExecutionOptions
{
    private readonly Dictionary<string, object?> _values = [];

    public TValue GetValue<TValue>(string name) =>
        _values.TryGetValue(name, out object? value) && value is TValue found ? found : default!;

    public void SetValue<TValue>(string name, TValue value) => _values[name] = value;
}
