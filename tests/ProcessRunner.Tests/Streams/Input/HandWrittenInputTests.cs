using System;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams.Input;

/// <summary>Verifies the input that a user writes while the child runs.</summary>
[Collection(Alone.Name)]
public sealed class HandWrittenInputTests
{
    private static readonly ProcessCommand s_cat = TestPrograms.Quick("stdin");

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Writer_OfAChildThatDoesNotRead_WaitsUntilItDoes() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string fifo = directory.Fifo("go");
        ProcessCommand command = TestPrograms.Shell($"echo ready; read go <'{fifo}'; exec wc -c") with
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.Live(),
        };
        using ChildProcess child = command.Start();
        child.Lines.ReadAsync().AsTask().GetAwaiter().GetResult().Content.Should().Be("ready");
        long written = 0;
        Thread writer = new(() =>
        {
            byte[] chunk = new byte[10_000];
            for (int i = 0; i < 200; i++)
            {
                child.StandardInput.Write(chunk);
                Interlocked.Add(ref written, chunk.Length);
            }

            child.StandardInput.Dispose();
        });
        writer.Start();
        Eventually.Is(
            () => Interlocked.Read(ref written) > 60_000 && (writer.ThreadState & ThreadState.WaitSleepJoin) != 0,
            "a writer waits for a child that does not read");
        Interlocked.Read(ref written).Should().BeLessThan(1_000_000);
        File.WriteAllText(fifo, "go\n");
        writer.Join();
        child.Lines.ReadAsync().AsTask().GetAwaiter().GetResult().Content.Trim().Should().Be("2000000");
        child.Wait().EnsureSuccess();
    });

    [Fact]
    public void Dialogue_WithAChild_GoesBackAndForth() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick(
            [.. Enumerable.Repeat<string[]>(["answer", "<"], 1000).SelectMany(words => words), "return", "2"]) with
        {
            StandardInput = InputSource.Pipe,
            StandardOutput = OutputTarget.Live(),
        };
        using ChildProcess child = command.Start();
        for (int i = 0; i < 1000; i++)
        {
            child.StandardInput.Write(Encoding.UTF8.GetBytes($"{i}\n"));
            child.StandardInput.Flush();
            child.Lines.ReadAsync().AsTask().GetAwaiter().GetResult().Content.Should().Be($"<{i}");
        }

        child.StandardInput.Close();
        child.Wait().ExitCode.Should().Be(2);
    });

    [Fact]
    public void Write_AfterClose_Throws() => Guard.Run(() =>
    {
        ProcessCommand command = s_cat with { StandardInput = InputSource.Pipe };
        using ChildProcess child = command.Start();
        child.StandardInput.Write("text"u8);
        child.StandardInput.Close();
        child.StandardInput.Close();
        Action write = () => child.StandardInput.Write("more"u8);
        write.Should().Throw<InvalidOperationException>();
        child.Wait().EnsureSuccess().StandardOutput.Text.Should().Be("text");
        write.Should().Throw<InvalidOperationException>();
    });

    [Fact]
    public void Write_ToAChildThatHasEnded_DoesNothing() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick() with { StandardInput = InputSource.Pipe };
        using ChildProcess child = command.Start();
        child.Wait().EnsureSuccess();
        child.StandardInput.Write(new byte[1_000_000]);
        child.StandardInput.Flush();
        child.StandardInput.Dispose();
    });

    [Fact]
    public void Write_ByAnotherThreadWhileTheChildIsKilled_Ends() => Guard.Run(() =>
    {
        for (int round = 0; round < Crowd.Of(200); round++)
        {
            ProcessCommand command = TestPrograms.Quick("sleep", "1000000") with { StandardInput = InputSource.Pipe };
            using ChildProcess child = command.Start();
            Thread writer = new(() => child.StandardInput.Write(new byte[10_000_000]));
            writer.Start();
            Races.Plain.Dither(round * 7);
            child.Kill();
            writer.Join();
            child.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
        }
    });

    [Fact]
    public void Writers_OfSeveralThreads_AreNotMixedWithinASmallWrite() => Guard.Run(() =>
    {
        ProcessCommand command = s_cat with { StandardInput = InputSource.Pipe };
        using ChildProcess child = command.Start();
        Races.Plain.Threads(
            4, 4000, repetition => child.StandardInput.Write(Encoding.ASCII.GetBytes($"{repetition:D7}\n")));
        child.StandardInput.Dispose();
        string[] lines = [.. child.Wait().EnsureSuccess().StandardOutput.Lines()];
        Array.Sort(lines, StringComparer.Ordinal);
        int count = Crowd.Of(4000);
        lines.Length.Should().Be(count);
        lines[0].Should().Be("0000000");
        lines[^1].Should().Be($"{count - 1:D7}");
    });

    [Fact]
    public void WriteAsync_ReachesTheChild() => Guard.Run(() =>
    {
        ProcessCommand command = s_cat with { StandardInput = InputSource.Pipe };
        using ChildProcess child = command.Start();
        child.StandardInput.WriteAsync(new byte[1_000_000]).AsTask().GetAwaiter().GetResult();
        child.StandardInput.FlushAsync().GetAwaiter().GetResult();
        child.StandardInput.DisposeAsync().AsTask().GetAwaiter().GetResult();
        child.Wait().EnsureSuccess().StandardOutput.TotalBytes.Should().Be(1_000_000);
    });
}
