using System.Collections.Generic;

namespace ProcessRunner.TestHost;

/// <summary>
/// Runs children while many descriptors are taken and few are free. The descriptors that an engine reserves for starts
/// must not be the ones that a start lacks.
/// </summary>
internal sealed class LowDescriptorPoolAtLimit : IScenario
{
    private const int ManyTaken = 600;
    private const int EnoughForARun = 9;

    public string Name => "near-descriptors-at-limit";

    public void Play(string[] arguments)
    {
        Run(ProcessEngine.Shared, "before");
        OpenDescriptors.Open(ManyTaken);
        for (int free = 0; free <= 30; free++)
        {
            // One engine has reserved nothing yet, the other has.
            using ProcessEngine begins = new();
            Expect.True(FailsToStart(begins), "a missing program cannot be started");
            using ProcessEngine keeps = new();
            Run(keeps, "while plenty is free");
            if (free >= EnoughForARun)
            {
                RunWith(free, begins);
            }

            RunWith(free, keeps);
        }
    }

    private static void RunWith(int free, ProcessEngine engine)
    {
        ulong highest = OpenDescriptors.Highest;
        ulong before = NativeMethods.SetDescriptorLimit(highest + 1);
        List<int> filling = [];
        try
        {
            for (int number = 0; number >= 0; number = NativeMethods.Open("/dev/null", 0))
            {
                filling.Add(number);
            }

            NativeMethods.SetDescriptorLimit(highest + 1 + (ulong)free);
            Run(engine, $"with {free} free numbers");
        }
        finally
        {
            NativeMethods.SetDescriptorLimit(before);
            filling[1..].ForEach(descriptor => Expect.Equal(0, NativeMethods.Close(descriptor), "close"));
        }
    }

    private static bool FailsToStart(ProcessEngine engine)
    {
        try
        {
            new ProcessCommand("no-such-program").Run(engine);
            return false;
        }
        catch (ProcessStartException)
        {
            return true;
        }
    }

    private static void Run(ProcessEngine engine, string when)
    {
        ProcessResult result = new ProcessCommand("/bin/sh", "-c", "echo out; echo err >&2; exit 3").Run(engine);
        Expect.Equal(3, result.ExitCode, $"exit code {when}");
        Expect.Equal("out\n", result.StandardOutput.Text, $"standard output {when}");
        Expect.Equal("err\n", result.StandardError.Text, $"standard error {when}");
        Expect.Equal(1, result.StartAttempts, $"attempts {when}");
    }
}
