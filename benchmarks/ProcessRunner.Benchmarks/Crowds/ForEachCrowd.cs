using System.Linq;
using System.Threading.Tasks;
using ProcessRunner.Benchmarks.Measuring;
using ProcessRunner.Benchmarks.Native;
using ProcessRunner.Benchmarks.Rivals;

namespace ProcessRunner.Benchmarks.Crowds;

/// <summary>Runs the children in the body of Parallel.ForEach.</summary>
internal sealed class ForEachCrowd(IChildRunner runner) : ICrowd
{
    public void Run(ChildJob job, int children, int concurrency, Tally tally)
    {
        ParallelOptions options = new() { MaxDegreeOfParallelism = concurrency };
        Parallel.ForEach(Enumerable.Range(0, children), options, _ => tally.Add(job, runner.Run(job)));
    }
}
