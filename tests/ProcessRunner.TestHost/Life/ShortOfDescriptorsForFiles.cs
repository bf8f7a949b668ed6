using System.Collections.Generic;
using Microsoft.Win32.SafeHandles;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Verifies a host that has no descriptor for the file that it writes in place of a child: the error may pass.
/// </summary>
internal sealed class ShortOfDescriptorsForFiles : IScenario
{
    private const int EMFILE = 24;

    public string Name => "short-of-descriptors-for-files";

    public void Play(string[] arguments)
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
        ProcessCommand command = new("/bin/sh", "-c", "exit 3")
        {
            StandardOutput = OutputTarget.ToFile("/dev/null"),
        };
        Expect.Equal(3, command.Run(engine).ExitCode, "exit code before");
        ShortOfDescriptors.FailureOf(new ProcessCommand("/does/not/exist"), engine);
        ShortOfDescriptors.GiveBack(ShortOfDescriptors.TakeAll(most: 1));
        ulong before = NativeMethods.SetDescriptorLimit(OpenDescriptors.Highest + 20);
        List<SafeFileHandle> taken = ShortOfDescriptors.TakeAll();
        try
        {
            ProcessStartException? failure = ShortOfDescriptors.FailureOf(command, engine);
            Expect.Equal(ProcessStartStep.OutOfDescriptors, failure?.Step, "step");
            Expect.Equal(EMFILE, failure?.NativeErrorCode, "errno");
            Expect.Equal(true, failure?.IsTransient, "that it is transient");
        }
        finally
        {
            ShortOfDescriptors.GiveBack(taken);
            NativeMethods.SetDescriptorLimit(before);
        }

        Expect.Equal(3, command.Run(engine).ExitCode, "exit code after");
    }
}
