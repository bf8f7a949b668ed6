using System;

namespace PTest.Running;

/// <summary>Represents the limits and chances of a test.</summary>
internal sealed record TestPolicy
{
    /// <summary>Gets how long the test may take; zero for no limit.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>Gets from when on a test that passes is called slow.</summary>
    public TimeSpan Slow { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Gets how often a failed test may run again.</summary>
    public int Retries { get; init; }

    /// <summary>Gets the pause before the first retry; each further one waits twice as long.</summary>
    public TimeSpan RetryDelay { get; init; }

    /// <summary>Gets whether a flaky test fails the run; null if it does unless retries were allowed.</summary>
    public bool? FlakyFails { get; init; }

    public LeakPolicy Leaks { get; init; }

    /// <summary>Gets the name of a group of tests whose number of slots is limited.</summary>
    public string? Group { get; init; }

    public int Slots { get; init; } = 1;
}
