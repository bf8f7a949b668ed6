using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner;

namespace Cookbook;

/// <summary>Runs children in the body of Parallel.ForEach, which starves no other code.</summary>
internal static class ParallelLoop
{
    public static void Run(TextWriter output)
    {
        int bytes = 0;
        Parallel.ForEach(Enumerable.Range(1, 64), number =>
        {
            using ProcessExecutor executor = new($"no. {number}", "head");
            executor.Run("-c", "10000", "/dev/zero");
            executor.Wait();
            Interlocked.Add(ref bytes, (int)executor.Result.StandardOutput.TotalBytes);
        });
        output.WriteLine($"{bytes} bytes");
    }
}
