using System;
using System.Diagnostics;
using PTest.Hosts;
using PTest.Suites;

namespace PTest.Running;

/// <summary>Represents a test that has started in a process, and not ended.</summary>
/// <param name="Case">The test.</param>
/// <param name="Name">The name, with the row of its data.</param>
/// <param name="Start">The position in the standard streams at which it started.</param>
/// <param name="Seen">The timestamp of <see cref="Stopwatch"/> at which its start was read.</param>
internal sealed record RunningTest(TestCase Case, string Name, OutputPosition Start, long Seen)
{
    /// <summary>Gets how long it has run, which no step of the system's clock changes.</summary>
    public TimeSpan Elapsed => Stopwatch.GetElapsedTime(Seen);

    public DateTime Started => Start.Moment;
}
