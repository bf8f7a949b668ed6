using System;
using Xunit.Sdk;

namespace PTest.Hosts;

/// <summary>Represents the options of a discovery and of a run.</summary>
internal sealed class HostOptions(Job job)
    : OptionValues(job), ITestFrameworkDiscoveryOptions, ITestFrameworkExecutionOptions
{
    public string ToJson() => throw new NotSupportedException();
}
