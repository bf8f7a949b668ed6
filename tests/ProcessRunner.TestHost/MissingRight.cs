using System;
using System.Globalization;
using System.IO;
using System.Linq;

namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies a nice value that a child may not have. The superuser may have any, so the host becomes nobody.
/// </summary>
internal sealed class MissingRight : IScenario
{
    private const int EACCES = 13;
    private const int CAP_SYS_NICE = 23;

    public string Name => "missing-right";

    public void Play(string[] arguments)
    {
        ProcessCommand command = new("true");
        Expect.Equal(0, command.Run().ExitCode, "exit code before");
        if (NativeMethods.EffectiveUser() == 0)
        {
            NativeMethods.BecomeNobody();
        }

        if (HasTheRight)
        {
            // An ordinary user can have it, too, for example in a container.
            return;
        }

        try
        {
            Expect.True(false, $"it cannot be started: {(command with { Nice = -20 }).Run()}");
        }
        catch (ProcessStartException exception)
        {
            Expect.Equal(ProcessStartStep.BadPriority, exception.Step, "step");
            Expect.Equal(EACCES, exception.NativeErrorCode, "errno");
        }
    }

    private static bool HasTheRight
    {
        get
        {
            string effective = File.ReadLines("/proc/self/status").Single(
                line => line.StartsWith("CapEff:", StringComparison.Ordinal));
            ulong capabilities = ulong.Parse(effective[7..].Trim(), NumberStyles.HexNumber);
            return (capabilities & (1UL << CAP_SYS_NICE)) != 0;
        }
    }
}
