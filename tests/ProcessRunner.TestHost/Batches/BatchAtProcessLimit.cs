using System.Linq;

namespace ProcessRunner.TestHost.Batches;

/// <summary>
/// Verifies that children wait their turn if they outnumber the processes that an ordinary user may have.
/// </summary>
internal sealed class BatchAtProcessLimit : IScenario
{
    public string Name => "batch-at-process-limit";

    public void Play(string[] arguments)
    {
        // All threads and code are loaded first: the limit counts threads, including the runtime's.
        ProcessCommand command = new("/bin/sleep", "0.01");
        Expect.Equal(
            0, ProcessBatch.Enumerate([command, command]).Count(result => !result.IsSuccess), "failures before");
        NativeMethods.SetProcessLimit(ulong.Parse(arguments[0]));
        NativeMethods.BecomeNobody();
        BatchResults batch = ProcessBatch.Enumerate(
            Enumerable.Repeat(command, 400), new BatchOptions { MaxConcurrency = 200 });
        int results = 0;
        foreach (BatchResult result in batch)
        {
            results++;
            result.EnsureSuccess();
        }

        Expect.Equal(400, results, "results");
    }
}
