using System;
using System.IO;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Pumps;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Pumps;

/// <summary>Verifies the writer of a file without a process.</summary>
public sealed class FileReceiverTests
{
    private const int Writers = 4;
    private const int LinesOfEach = 5_000;

    [Fact]
    public void Appends_OfManyThreadsToOneFile_OverwriteNothing() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string path = directory.At("log");
        Thread[] threads = [.. Enumerable.Range(0, Writers).Select(_ => new Thread(() =>
        {
            FileReceiver receiver = new(path, append: true, StandardStream.Output);
            receiver.Open();
            for (int i = 0; i < LinesOfEach; i++)
            {
                receiver.OnBytes("line\n"u8, DateTimeOffset.UnixEpoch);
            }

            receiver.OnEnd(isWhole: true);
        }))];
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        File.ReadLines(path).Count(line => line == "line").Should().Be(Writers * LinesOfEach);
    });
}
