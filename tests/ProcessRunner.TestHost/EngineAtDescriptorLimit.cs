namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies that the first start of an engine, which opens the engine's own descriptors, fails like any other start.
/// </summary>
internal sealed class EngineAtDescriptorLimit : IScenario
{
    public string Name => "engine-at-descriptor-limit";

    public void Play(string[] arguments)
    {
        ProcessCommand command = new("/bin/true");
        Expect.Equal(0, command.Run().ExitCode, "exit code before");
        using ProcessEngine engine = new();
        ulong before = NativeMethods.SetDescriptorLimit(3);
        ProcessStartException? failure = null;
        try
        {
            command.Run(engine);
        }
        catch (ProcessStartException exception)
        {
            failure = exception;
        }
        finally
        {
            NativeMethods.SetDescriptorLimit(before);
        }

        Expect.Equal(ProcessStartStep.OutOfDescriptors, failure?.Step, "step of the first start of an engine");
        Expect.Equal(0, command.Run(engine).ExitCode, "exit code after");
    }
}
