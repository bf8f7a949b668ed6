using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;

namespace ProcessRunner.TestHost;

/// <summary>
/// A capture that spills more than the limit of file sizes allows: the kernel sends the writing thread SIGXFSZ, which ends a
/// process that does not handle it. It is an error of that run alone, and a handler of the user's does not hear of it.
/// </summary>
internal sealed class FileSizeLimit : IScenario
{
    private const int InMemory = 1000;
    private const int Limit = 100_000;
    private const int Size = 3_000_000;
    private const PosixSignal SIGXFSZ = (PosixSignal)25;

    public string Name => "file-size-limit";

    public void Play(string[] arguments)
    {
        ulong before = NativeMethods.SetFileSizeLimit(Limit);
        ExpectError();
        using SemaphoreSlim signals = new(0);
        using (PosixSignalRegistration.Create(SIGXFSZ, context =>
        {
            context.Cancel = true;
            signals.Release();
        }))
        {
            ExpectError();

            // Had the limit's signal only been put off, it would come first.
            _ = NativeMethods.Kill(Environment.ProcessId, (int)SIGXFSZ);
            signals.Wait();
            Expect.Equal(0, signals.CurrentCount, "signals that nobody sent");
        }

        NativeMethods.SetFileSizeLimit(before);
        CapturedOutput output = Spilling().Run().StandardOutput;
        Expect.Equal(Size, output.Bytes.Length, "bytes that are kept once the limit is gone");
    }

    private static void ExpectError()
    {
        try
        {
            Expect.True(false, $"a spill is too large, but {Spilling().Run()}");
        }
        catch (IOException exception)
        {
            Expect.True(exception.Message.Contains("File too large"), $"the message tells the reason: {exception.Message}");
            Expect.True(exception.Message.Contains("head -c"), $"the message names the command: {exception.Message}");
            ProcessResult result = ProcessResult.Of(exception)!;
            Expect.Equal(3, result.ExitCode, "exit code");
            CapturedOutput output = result.StandardOutput;
            Expect.Equal(Size, output.TotalBytes, "bytes that the child wrote");
            Expect.Equal(InMemory + Limit, output.Bytes.Length, "bytes that were kept");
            Expect.Equal(InMemory + Limit, output.Text.Length, "characters of the text");
            Expect.True(output.IsTruncated, "fewer bytes were kept");
        }
    }

    private static ProcessCommand Spilling() => new("/bin/sh", "-c", $"head -c {Size} /dev/zero; exit 3")
    {
        StandardOutput = OutputTarget.Capture(InMemory, CapturePolicy.SpillToFile),
    };
}
