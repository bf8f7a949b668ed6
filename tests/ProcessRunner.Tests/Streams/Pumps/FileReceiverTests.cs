using System;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Pumps;
using ProcessRunner.Tests.Races;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Pumps;

/// <summary>Verifies the writer of a file without a process.</summary>
public sealed class FileReceiverTests
{
    [Fact]
    public void Appends_OfManyThreadsToOneFile_OverwriteNothing() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string path = directory.At("log");
        Plain.Threads(4, 4, _ =>
        {
            FileReceiver receiver = new(path, append: true, StandardStream.Output);
            receiver.Open();
            for (int i = 0; i < 5_000; i++)
            {
                receiver.OnBytes("line\n"u8, DateTimeOffset.UnixEpoch);
            }

            receiver.OnEnd(isWhole: true);
        });
        File.ReadLines(path).Count(line => line == "line").Should().Be(20_000);
    });
}
