using Xunit.Abstractions;

namespace PTest.Hosts;

/// <summary>Represents the options of a discovery and of a run.</summary>
internal sealed class HostOptions(Job job)
    : OptionValues(job), ITestFrameworkDiscoveryOptions, ITestFrameworkExecutionOptions;
