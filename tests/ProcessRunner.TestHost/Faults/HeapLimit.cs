using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestHost.Faults;

/// <summary>
/// Verifies a garbage collector's limit (DOTNET_GCHeapHardLimit, as a container's limit sets it) that is smaller than a
/// child's output. That run is stopped and reports the reason; the host and the other children continue.
/// </summary>
internal sealed class HeapLimit : IScenario
{
    private const int Lines = 20_000;

    private static readonly string s_numbers =
        string.Concat(Enumerable.Range(1, Lines).Select(number => $"{number}\n"));

    public string Name => "heap-limit";

    public void Play(string[] arguments)
    {
        Expect.True(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes < 256L * 1024 * 1024, "the heap is limited");
        using ProcessEngine engine = new(new ProcessEngineOptions { CaptureBudget = 1L << 40 });
        for (int round = 0; round < 4; round++)
        {
            Play(engine, isServed: round % 2 == 0);
        }

        Expect.True(!NativeMethods.HasChildren, "no child is left, not even a zombie");
    }

    private static void Play(ProcessEngine engine, bool isServed)
    {
        ProcessCommand others = Shell($"for i in 1 2 3 4 5; do sleep 0.1; done; seq 1 {Lines}");
        List<ChildProcess> children = [.. Enumerable.Range(0, 6).Select(_ => others.Start(engine))];
        ChildProcess flood =
            (Shell("exec cat /dev/zero") with
            {
                StandardOutput = OutputTarget.Capture(1L << 40, CapturePolicy.KeepHead),
            }).Start(engine);
        ExpectShortage(flood, isServed);
        foreach (ChildProcess child in children)
        {
            Check(child);
        }

        Check(others.Start(engine), mustSucceed: true);
    }

    private static void ExpectShortage(ChildProcess flood, bool isServed)
    {
        OutOfMemoryException? failure = null;
        try
        {
            if (isServed)
            {
                flood.Wait();
            }
            else
            {
                flood.WaitAsync(CancellationToken.None).Wait();
            }
        }
        catch (OutOfMemoryException exception)
        {
            failure = exception;
        }
        catch (AggregateException exception) when (exception.InnerException is OutOfMemoryException inner)
        {
            failure = inner;
        }

        Expect.True(failure is not null, "the wait reports the shortage");
        Expect.True(
            failure!.Message.Contains("cat /dev/zero", StringComparison.Ordinal),
            $"it names the command: {failure.Message}");
        ProcessResult? result = ProcessResult.Of(failure);
        Expect.Equal(StopCause.OutOfMemory, result?.StoppedBy, "cause of the child's stop");
        Expect.True(!result!.IsSuccess && result.StandardOutput.IsTruncated, "incomplete output is no success");
    }

    // The result is right, or the shortage has affected this run as well.
    private static void Check(ChildProcess child, bool mustSucceed = false)
    {
        try
        {
            ProcessResult result = child.Wait();
            Expect.Equal(0, result.ExitCode, "exit code");
            Expect.Equal(s_numbers, result.StandardOutput.Text, "output");
        }
        catch (OutOfMemoryException) when (!mustSucceed)
        {
        }
    }

    private static ProcessCommand Shell(string script) => new("/bin/sh", "-c", script);
}
