using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.Win32.SafeHandles;
using ProcessRunner.TestHost.Life;

namespace ProcessRunner.TestHost.Batches;

/// <summary>
/// Verifies that children wait their turn if they outnumber the descriptors: first alone, then beside a thread that
/// takes all descriptors and gives them back.
/// </summary>
internal sealed class BatchAtDescriptorLimit : IScenario
{
    public string Name => "batch-at-descriptor-limit";

    public void Play(string[] arguments)
    {
        int count = int.Parse(arguments[0]);
        NativeMethods.SetDescriptorLimit(256);
        Run(count);
        bool isOver = false;
        Thread eater = new(() =>
        {
            while (!Volatile.Read(ref isOver))
            {
                List<SafeFileHandle> taken = ShortOfDescriptors.TakeAll();
                Thread.Sleep(10);
                ShortOfDescriptors.GiveBack(taken);
                Thread.Sleep(20);
            }
        });
        ShortOfDescriptors.GiveBack(ShortOfDescriptors.TakeAll(most: 1));
        eater.Start();
        try
        {
            Run(count / 10);
        }
        finally
        {
            Volatile.Write(ref isOver, true);
            eater.Join();
        }
    }

    private static void Run(int count)
    {
        BatchResults batch = ProcessBatch.Enumerate(
            Enumerable.Range(0, count).Select(number => new ProcessCommand("echo", $"{number}")),
            new BatchOptions { MaxConcurrency = 1_000 });
        int results = 0;
        foreach (BatchResult result in batch)
        {
            results++;
            Expect.Equal($"{result.Index}\n", result.EnsureSuccess().StandardOutput.Text, $"output of {result.Index}");
        }

        Expect.Equal(count, results, "results");
        Expect.Equal(0L, batch.Progress.Failed, "failures");
        Expect.Equal(0, ProcessEngine.Shared.LiveChildren, "live children");
    }
}
