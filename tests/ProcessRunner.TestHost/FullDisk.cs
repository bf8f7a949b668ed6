using System.IO;

namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies captures that spill to a temporary directory on a small disk, which is the argument: only the capture that
/// fills the disk fails.
/// </summary>
internal sealed class FullDisk : IScenario
{
    private const int Size = 30_000_000;

    public string Name => "full-disk";

    public void Play(string[] arguments)
    {
        Expect.Equal(arguments[0], Path.TrimEndingDirectorySeparator(Path.GetTempPath()), "temporary directory");
        using ChildProcess other = new ProcessCommand("/bin/sh", "-c", "echo before; read line; echo after")
        {
            StandardInput = InputSource.Pipe,
        }.Start();
        ProcessCommand command = new("/bin/sh", "-c", $"LC_ALL=C head -c {Size} /dev/zero; exit 3")
        {
            StandardOutput = OutputTarget.Capture(1000, CapturePolicy.SpillToFile),
        };
        for (int round = 0; round < 3; round++)
        {
            try
            {
                Expect.True(false, $"a spill that does not fit fails: {command.Run()}");
            }
            catch (IOException exception)
            {
                ProcessResult result = ProcessResult.Of(exception)!;
                Expect.Equal(3, result.ExitCode, "exit code");
                Expect.Equal(Size, result.StandardOutput.TotalBytes, "bytes that the child wrote");
                Expect.True(result.StandardOutput.IsTruncated, "fewer bytes were kept");
                Expect.Equal(
                    result.StandardOutput.Bytes.Length, result.StandardOutput.Text.Length, "characters of the text");
                Expect.True(
                    exception.Message.Contains("No space left"), $"the message names the reason: {exception.Message}");
                Expect.True(
                    exception.Message.Contains($"head -c {Size}"),
                    $"the message names the command: {exception.Message}");
            }
        }

        other.StandardInput.Dispose();
        Expect.Equal("before\nafter\n", other.Wait().StandardOutput.Text, "output of another child");

        string path = Path.Combine(arguments[0], "file");
        ProcessCommand toFile = new("/bin/sh", "-c", $"LC_ALL=C head -c {Size} /dev/zero")
        {
            StandardOutput = OutputTarget.ToFile(path),
        };
        ProcessResult full = toFile.Run();
        Expect.True(!full.IsSuccess, "a child that cannot write fails");
        Expect.True(full.StandardError.Text.Contains("No space left"), $"the child says why: {full.StandardError}");
        File.Delete(path);

        using FileStream stream = File.Create(path);
        try
        {
            Expect.True(
                false,
                $"a full stream fails: {(toFile with { StandardOutput = OutputTarget.ToStream(stream) }).Run()}");
        }
        catch (IOException exception)
        {
            Expect.True(
                ProcessResult.Of(exception)!.IsSuccess, "the child is not affected by the reader's full disk");
        }

        Expect.Equal("well\n", new ProcessCommand("echo", "well").Run().StandardOutput.Text, "a run after it");
    }
}
