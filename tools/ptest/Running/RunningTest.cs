using System;
using PTest.Hosts;
using PTest.Suites;

namespace PTest.Running;

/// <summary>Represents a test that has started in a process, and not ended.</summary>
internal sealed record RunningTest(TestCase Case, string Name, OutputPosition Start)
{
    public DateTime Started => Start.Moment;
}
