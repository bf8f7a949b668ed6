using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Linux;
using ProcessRunner.Interop;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Batches;

/// <summary>Verifies that a token that no child needs is free for other programs while the batch continues.</summary>
[Collection(Alone.Name)]
public sealed class BatchTokenTests
{
    [Theory]
    [InlineData("end")]
    [InlineData("block")]
    [InlineData("stop")]
    [InlineData("judge")]
    [OnlyOn(Systems.Linux, "the pipe of a jobserver")]
    [NativeBackend("the portable backend takes no tokens")]
    public void TokensOfChildrenThatHaveEnded_GoBack_WhileAnotherRuns(string what) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using ManualResetEventSlim letGo = new();
        string jobs = directory.Fifo("jobs");
        using FileStream tokens = new(jobs, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, 1);
        tokens.Write("abc"u8);
        string? before = Environment.GetEnvironmentVariable("MAKEFLAGS");
        Environment.SetEnvironmentVariable("MAKEFLAGS", $"--jobserver-auth=fifo:{jobs}");
        try
        {
            using JobTokens others = Jobserver.Open()!;
            using ProcessEngine engine = new();
            BatchResults batch = ProcessBatch.Enumerate(
                Input(directory.At("go"), what, letGo),
                new BatchOptions { Engine = engine, MaxConcurrency = 4, UseJobserver = true });
            using IEnumerator<BatchResult> results = batch.GetEnumerator();
            PlainThread waker = PlainThread.Run(() =>
            {
                try
                {
                    Eventually.Is(() => engine.StartedChildren == (what == "judge" ? 5 : 4), "all of them run");
                    if (what == "stop")
                    {
                        batch.StopStarting();
                    }
                }
                finally
                {
                    // The test waits for the results, and only then for this thread.
                    File.WriteAllText(directory.At("go"), "");
                }
            });
            try
            {
                for (int i = 0; i < (what == "judge" ? 1 : 3); i++)
                {
                    results.MoveNext().Should().BeTrue();
                }

                waker.Join();
                Eventually.Is(() => !others.TryTake() ? others.Held == 3 : false, "no child holds a token");
                batch.Progress.Running.Should().Be(what == "judge" ? 4 : 1);
            }
            finally
            {
                letGo.Set();
            }
        }
        finally
        {
            Environment.SetEnvironmentVariable("MAKEFLAGS", before);
        }
    });

    // Another client has returned more tokens than it took.
    [Fact]
    [OnlyOn(Systems.Linux, "a pipe that is full")]
    public void TokenWithoutRoom_IsKeptUntilThereIsSome() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string jobs = directory.Fifo("jobs");
        using FileStream others = new(jobs, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, 1);
        int size = LibC.Fcntl((int)others.SafeFileHandle.DangerousGetHandle(), LibC.F_GETPIPE_SZ, 0);
        others.Write("a"u8);
        string? before = Environment.GetEnvironmentVariable("MAKEFLAGS");
        Environment.SetEnvironmentVariable("MAKEFLAGS", $"--jobserver-auth=fifo:{jobs}");
        try
        {
            using JobTokens tokens = Jobserver.Open()!;
            tokens.TryTake().Should().BeTrue();
            others.Write(new byte[size]);
            tokens.TryReturn().Should().BeFalse();
            tokens.Held.Should().Be(1);
            others.ReadExactly(new byte[size]);
            tokens.TryReturn().Should().BeTrue();
            (tokens.Held, others.ReadByte()).Should().Be((0, (int)'a'));

            others.Write("b"u8);
            tokens.TryTake().Should().BeTrue();
            others.Write(new byte[size]);
            tokens.Dispose();
            tokens.Held.Should().Be(0);
        }
        finally
        {
            Environment.SetEnvironmentVariable("MAKEFLAGS", before);
        }
    });

    private static IEnumerable<BatchItem> Input(string go, string what, ManualResetEventSlim letGo)
    {
        ProcessCommand untilGo = TestPrograms.Quick("wait-file", go, "return", "1");
        if (what == "judge")
        {
            // The only one of them that has a result.
            yield return new BatchItem(TestPrograms.Quick());
            untilGo = untilGo with
            {
                AcceptsExitCode = _ =>
                {
                    letGo.Wait();
                    return true;
                },
            };
        }

        yield return new BatchItem(TestPrograms.Quick("sleep", "1000000"));
        foreach (int _ in Enumerable.Range(0, 3))
        {
            yield return new BatchItem(untilGo);
        }

        if (what == "block")
        {
            letGo.Wait();
        }

        for (int i = 0; what == "stop" && i < 10; i++)
        {
            yield return new BatchItem(TestPrograms.Quick());
        }
    }
}
