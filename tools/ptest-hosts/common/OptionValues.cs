using System.Collections.Generic;
using System.Globalization;

namespace PTest.Hosts;

/// <summary>Keeps the options of a discovery and of a run by their names, which both versions of xunit share.</summary>
internal class OptionValues
{
    public const string DisableParallelization = "xunit.execution.DisableParallelization";

    public const string FailSkips = "xunit.execution.FailSkips";

    private readonly Dictionary<string, object?> _values = [];

    public OptionValues(Job job)
    {
        // A test's start must be reported before the test can end the process.
        _values["xunit.discovery.SynchronousMessageReporting"] = true;
        _values["xunit.execution.SynchronousMessageReporting"] = true;
        if (!job.IsParallel)
        {
            _values[DisableParallelization] = true;
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
