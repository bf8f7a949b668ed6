using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;

namespace ProcessRunner.Benchmarks.Crowds;

/// <summary>Represents a way to run many children with limited concurrency.</summary>
internal interface ICrowd
{
    /// <summary>Runs all children to their ends and adds each child to the tally.</summary>
    /// <param name="job">The work of every child.</param>
    /// <param name="children">The number of children.</param>
    /// <param name="concurrency">The number of children that run at once; -1 leaves it to the crowd.</param>
    /// <param name="tally">The tally that counts the children.</param>
    void Run(ChildJob job, int children, int concurrency, Tally tally);
}
