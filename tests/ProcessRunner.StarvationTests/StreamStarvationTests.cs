using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.StarvationTests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.StarvationTests;

/// <summary>Verifies the streams of children while every worker of the ThreadPool is parked.</summary>
public sealed class StreamStarvationTests
{
    [Fact]
    public void Callbacks_tees_and_stream_sources_work_while_every_worker_is_parked() => Guard.Run(() =>
    {
        using ParkedPool pool = new();
        int lines = 0;
        using MemoryStream source = new(new byte[300_000]);
        ProcessCommand command = TestPrograms.Quick("seq", "1", "10000", "stdin-length") with
        {
            StandardInput = InputSource.FromStream(source),
            StandardOutput = OutputTarget.Tee(OutputTarget.ToLines(_ => lines++), OutputTarget.Capture(10)),
        };
        command.Run().EnsureSuccess();
        lines.Should().Be(10_001);
        pool.IsParked.Should().BeTrue();
    });

    [Fact]
    public void Live_lines_can_be_waited_for_while_every_worker_is_parked() => Guard.Run(() =>
    {
        using ParkedPool pool = new();
        using ChildProcess child =
            (TestPrograms.Quick("seq", "1", "10000") with { StandardOutput = OutputTarget.Live() }).Start();
        List<string> lines = [];
        Thread reader = new(() =>
        {
            do
            {
                while (child.Lines.TryRead(out OutputLine line))
                {
                    lines.Add(line.Content);
                }
            }
            while (child.Lines.WaitToReadAsync().AsTask().GetAwaiter().GetResult());
        })
        {
            IsBackground = true,
        };
        reader.Start();
        reader.Join(TimeSpan.FromMinutes(5))
            .Should().BeTrue("a plain thread that waits for lines needs no ThreadPool");
        lines.Should().HaveCount(10_000);
        child.Wait().EnsureSuccess();
        pool.IsParked.Should().BeTrue();
    });

    [Fact]
    public void Live_lines_can_be_enumerated_by_a_plain_thread_while_every_worker_is_parked() => Guard.Run(() =>
    {
        using ParkedPool pool = new();
        using ChildProcess child =
            (TestPrograms.Quick("seq", "1", "10000") with { StandardOutput = OutputTarget.Live() }).Start();
        int count = 0;
        Thread reader = new(() => count = child.ReadLines().Count()) { IsBackground = true };
        reader.Start();
        reader.Join(TimeSpan.FromMinutes(5))
            .Should().BeTrue("a plain thread that enumerates lines needs no ThreadPool");
        count.Should().Be(10_000);
        child.Wait().EnsureSuccess();
        pool.IsParked.Should().BeTrue();
    });

    [Fact]
    public void Standard_input_can_be_written_asynchronously_while_every_worker_is_parked() => Guard.Run(() =>
    {
        using ParkedPool pool = new();
        using ChildProcess child =
            (TestPrograms.Quick("stdin-length") with { StandardInput = InputSource.Pipe }).Start();
        Thread writer = new(() =>
        {
            child.StandardInput.WriteAsync(new byte[500_000]).AsTask().GetAwaiter().GetResult();
            child.StandardInput.FlushAsync().GetAwaiter().GetResult();
            child.StandardInput.DisposeAsync().AsTask().GetAwaiter().GetResult();
        })
        {
            IsBackground = true,
        };
        writer.Start();
        writer.Join(TimeSpan.FromMinutes(5)).Should().BeTrue("a plain thread that writes needs no ThreadPool");
        child.Wait().EnsureSuccess().StandardOutput.Text.Trim().Should().Be("500000");
        pool.IsParked.Should().BeTrue();
    });
}
