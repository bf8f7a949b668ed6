using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Crowds;

/// <summary>One way to run many children, so many at once.</summary>
internal interface ICrowd
{
    /// <summary>Runs them all to their ends, and adds each to the tally.</summary>
    /// <param name="job">What every child does.</param>
    /// <param name="children">How many there are.</param>
    /// <param name="concurrency">How many at once; -1 leaves it to the crowd.</param>
    /// <param name="tally">Where each is counted.</param>
    void Run(ChildJob job, int children, int concurrency, Tally tally);
}
