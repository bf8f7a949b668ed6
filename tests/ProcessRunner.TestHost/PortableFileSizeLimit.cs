using System.IO;

namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies the portable backend where the size of files is limited: a file that this process writes for a run, which
/// is too large, fails that run alone.
/// </summary>
internal sealed class PortableFileSizeLimit : IScenario
{
    private const int Limit = 100_000;
    private const int Size = 1_000_000;

    public string Name => "portable-file-size-limit";

    public void Play(string[] arguments)
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
        string path = Path.Combine(arguments[0], "output");
        OutputTarget[] targets = [OutputTarget.Capture(1000, CapturePolicy.SpillToFile), OutputTarget.ToFile(path)];
        ulong before = NativeMethods.SetFileSizeLimit(Limit);
        try
        {
            foreach (OutputTarget target in targets)
            {
                ExpectError(engine, target);
            }
        }
        finally
        {
            NativeMethods.SetFileSizeLimit(before);
        }

        Expect.Equal((long)Limit, new FileInfo(path).Length, "bytes in the file");
        ProcessResult result = Writing(targets[0]).Run(engine);
        Expect.Equal(Size, result.StandardOutput.Bytes.Length, "bytes that are kept once the limit is gone");
    }

    private static void ExpectError(ProcessEngine engine, OutputTarget target)
    {
        try
        {
            Expect.True(false, $"a file that is too large fails: {Writing(target).Run(engine)}");
        }
        catch (IOException exception)
        {
            Expect.Equal(3, ProcessResult.Of(exception)?.ExitCode, "exit code");
            Expect.True(
                exception.Message.Contains("RLIMIT_FSIZE"), $"the message names the reason: {exception.Message}");
        }
    }

    private static ProcessCommand Writing(OutputTarget target) =>
        new("/bin/sh", "-c", $"head -c {Size} /dev/zero; exit 3") { StandardOutput = target };
}
