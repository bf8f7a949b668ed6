using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;

namespace ProcessRunner.TestHost;

/// <summary>
/// Verifies a capture that spills beyond the file size limit. The kernel sends SIGXFSZ to the writing thread, which
/// ends a process without a handler. The error affects only that run, and a user's handler is not called.
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

            // If the signal of the limit were merely pending, it would be delivered first.
            _ = NativeMethods.Kill(Environment.ProcessId, (int)SIGXFSZ);
            signals.Wait();
            Expect.Equal(0, signals.CurrentCount, "signals received");
        }

        NativeMethods.SetFileSizeLimit(before);
        CapturedOutput output = Spilling().Run().StandardOutput;
        Expect.Equal(Size, output.Bytes.Length, "bytes that are kept once the limit is gone");
    }

    private static void ExpectError()
    {
        try
        {
            Expect.True(false, $"a spill that is too large fails: {Spilling().Run()}");
        }
        catch (IOException exception)
        {
            Expect.True(
                exception.Message.Contains("File too large"), $"the message names the reason: {exception.Message}");
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
