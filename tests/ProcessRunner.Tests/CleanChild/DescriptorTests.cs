using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.CleanChild;

[OnlyOn(Systems.Linux, "descriptors and /proc")]
[NativeBackend(".NET passes on descriptors without close-on-exec")]
public sealed class DescriptorTests
{
    [Fact]
    public void Child_HasDescriptors012AndNoOther_WhateverOtherThreadsOpen() => Guard.Run(() =>
    {
        using CancellationTokenSource done = new();
        Thread[] careless = [.. Enumerable.Range(0, 2).Select(_ => new Thread(() => OpenCarelessly(done.Token)))];
        foreach (Thread thread in careless)
        {
            thread.Start();
        }

        for (int i = 0; i < 300; i++)
        {
            // ls itself opens the directory, with the lowest free number.
            ProcessResult result = new ProcessCommand("ls", "/proc/self/fd").Run();
            result.StandardOutput.Lines().Should().Equal("0", "1", "2", "3");
        }

        done.Cancel();
        foreach (Thread thread in careless)
        {
            thread.Join();
        }
    });

    [Fact]
    public void StandardInput_IsTheNullDevice() => Guard.Run(() =>
    {
        ProcessResult result = new ProcessCommand("readlink", "/proc/self/fd/0").Run();
        result.StandardOutput.Text.Should().Be("/dev/null\n");
    });

    [Fact]
    public void StandardStreams_CanBeOpenedByName() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell(
            "cat /dev/stdin && echo out >/dev/stdout && echo err >/dev/stderr").Run().EnsureSuccess();
        result.StandardOutput.Text.Should().Be("out\n");
        result.StandardError.Text.Should().Be("err\n");
    });

    [Fact]
    public void StandardStreams_BlockAsProgramsExpect() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Shell("grep flags /proc/self/fdinfo/1 /proc/self/fdinfo/2").Run();
        result.StandardOutput.Lines().Should().HaveCount(2);
        result.StandardOutput.Lines().Select(line => System.Convert.ToInt32(line.Split('\t')[1], 8) & 0x800)
            .Should().OnlyContain(nonBlocking => nonBlocking == 0);
    });

    private static void OpenCarelessly(CancellationToken done)
    {
        int[] descriptors = new int[20];
        while (!done.IsCancellationRequested)
        {
            for (int i = 0; i < descriptors.Length; i++)
            {
                descriptors[i] = NativeMethods.Open("/dev/null", 0);
            }

            foreach (int descriptor in descriptors)
            {
                _ = NativeMethods.Close(descriptor);
            }
        }
    }
}
