using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Verifies an engine whose threads cannot open any file; the argument is the error. The descendants stay unknown, but
/// the results come.
/// </summary>
internal sealed class HiddenProcessTable : IScenario
{
    private static readonly int s_openAt = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 257 : 56;

    public string Name => "hidden-process-table";

    public void Play(string[] arguments)
    {
        // The objects that all engines share are created before.
        ProcessCommand first = new("/bin/true");
        first.Run();
        using ProcessEngine engine = new();
        Thread starter = new(() =>
        {
            // The threads of the engine, which begin with its first child, inherit the filter. That child has it as
            // well.
            SystemCallFilter.Hide(s_openAt, int.Parse(arguments[0]));
            first.Run(engine);
        });
        starter.Start();
        starter.Join();
        DescendantPolicy[] policies = Enum.GetValues<DescendantPolicy>();
        ChildProcess[] ended = Array.ConvertAll(policies, policy => Start("sleep 2 & exit 7", policy, engine));
        ChildProcess[] stopped = Array.ConvertAll(policies, policy => Start("sleep 1000 & wait", policy, engine));
        Array.ForEach(stopped, child => new Thread(() => child.Stop()) { IsBackground = true }.Start());
        for (int i = 0; i < policies.Length; i++)
        {
            Expect.True(
                ended[i].TryWait(TimeSpan.FromSeconds(100), out ProcessResult? result),
                $"a result comes under {policies[i]}");
            Expect.Equal(7, result!.ExitCode, "exit code");
            Expect.Equal(0, result.SurvivingDescendants.Count, "descendants that are known");
            Expect.True(stopped[i].TryWait(TimeSpan.FromSeconds(100), out result), $"a stop ends under {policies[i]}");
            Expect.Equal(ProcessOutcome.Canceled, result!.Outcome, "outcome of a stop");
        }
    }

    private static ChildProcess Start(string script, DescendantPolicy policy, ProcessEngine engine) =>
        new ProcessCommand("/bin/sh", "-c", script) { Descendants = policy, DrainGrace = TimeSpan.Zero }.Start(engine);
}
