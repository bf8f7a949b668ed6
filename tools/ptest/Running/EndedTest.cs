using System;
using PTest.Hosts;
using PTest.Suites;

namespace PTest.Running;

/// <summary>Represents a test that has come to its end in a process.</summary>
internal sealed record EndedTest(TestCase Case, string Name, OutputPosition Start, HostEvent End)
{
    public DateTime Started => Start.Moment;
}
