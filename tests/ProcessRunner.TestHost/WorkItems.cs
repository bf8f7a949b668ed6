using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost;

/// <summary>
/// Counts the work items of the ThreadPool, of which children need none. The scenario has its own process, because a
/// test runner has work items of its own.
/// </summary>
internal sealed class WorkItems : IScenario
{
    private const int Children = 50;

    private static readonly ProcessCommand s_command = new("/bin/sh", "-c", "echo out; echo err >&2");

    public string Name => "work-items";

    public void Play(string[] arguments)
    {
        for (int i = 0; i < Children; i++)
        {
            Expect.Equal("out\n", s_command.Run().StandardOutput.Text, "output of a run");
            ProcessResult blocked = s_command.RunAsync().GetAwaiter().GetResult();
            Expect.Equal("out\n", blocked.StandardOutput.Text, "output of a run that is blocked on");
        }

        int results = ProcessBatch.Enumerate(
            Enumerable.Repeat(s_command, Children), new BatchOptions { MaxConcurrency = 3 })
            .Count(result => result.EnsureSuccess().StandardOutput.Text == "out\n");
        Expect.Equal(Children, results, "right results of a batch");
        Expect.Equal(0L, ThreadPool.CompletedWorkItemCount, "completed work items");
        Expect.Equal(0, ThreadPool.ThreadCount, "threads of the ThreadPool");
    }
}
