using System;
using System.IO;
using System.Linq;

namespace ProcessRunner.TestHost.Life;

/// <summary>Verifies that a start as a user that does not exist leaves no native memory behind.</summary>
internal sealed class UnknownUser : IScenario
{
    private const int Starts = 1000;
    private const int SizeOfVariable = 100_000;

    public string Name => "unknown-user";

    public void Play(string[] arguments)
    {
        ProcessCommand command = new ProcessCommand("/bin/true") with
        {
            Identity = ProcessIdentity.OfUser("no-such-user"),
        };
        command = command.WithEnvironment("LARGE", new string('x', SizeOfVariable));
        Refuse(command, Starts / 10);
        long before = ResidentKilobytes();
        Refuse(command, Starts);
        long growth = (ResidentKilobytes() - before) * 1024;
        Expect.True(growth < (long)Starts * SizeOfVariable / 2, $"the environment of each start was freed: {growth}");
    }

    private static void Refuse(ProcessCommand command, int count)
    {
        for (int i = 0; i < count; i++)
        {
            try
            {
                command.Run();
                Expect.True(false, "there is no such user");
            }
            catch (ProcessStartException exception)
            {
                Expect.Equal(ProcessStartStep.BadIdentity, exception.Step, "step that failed");
            }
        }
    }

    private static long ResidentKilobytes() => long.Parse(
        File.ReadLines("/proc/self/status").First(line => line.StartsWith("VmRSS:", StringComparison.Ordinal))
            .Split(' ', StringSplitOptions.RemoveEmptyEntries)[^2]);
}
