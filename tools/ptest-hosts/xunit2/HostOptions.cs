using System.Collections.Generic;
using System.Globalization;
using Xunit.Abstractions;

namespace PTest.Hosts;

/// <summary>Represents the options of a discovery and of a run.</summary>
internal sealed class HostOptions : ITestFrameworkDiscoveryOptions, ITestFrameworkExecutionOptions
{
    private readonly Dictionary<string, object?> _values = [];

    public HostOptions(Job job)
    {
        // A test's start must be told before the test can end the process.
        _values["xunit.discovery.SynchronousMessageReporting"] = true;
        _values["xunit.execution.SynchronousMessageReporting"] = true;
        if (!job.IsParallel)
        {
            _values["xunit.execution.DisableParallelization"] = true;
        }

        foreach (KeyValuePair<string, string> option in job.Options)
        {
            _values[option.Key] =
                bool.TryParse(option.Value, out bool isSet) ? isSet
                : int.TryParse(option.Value, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number
                : option.Value;
        }
    }

    public TValue GetValue<TValue>(string name) =>
        _values.TryGetValue(name, out object? value) && value is TValue found ? found : default!;

    public void SetValue<TValue>(string name, TValue value) => _values[name] = value;
}
