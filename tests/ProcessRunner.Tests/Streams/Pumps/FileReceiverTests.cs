using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Pumps;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
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
        AppendLines(Enumerable.Repeat(path, Writers));
        File.ReadLines(path).Count(line => line == "line").Should().Be(Writers * LinesOfEach);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "symbolic links")]
    public void Appends_ByDifferentPathsToOneFile_OverwriteNothing() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string path = Path.Combine(directory.Folder("folder"), "log");
        File.WriteAllText(path, "");
        Directory.CreateSymbolicLink(directory.At("linked-folder"), "folder");
        File.CreateSymbolicLink(directory.At("linked-file"), directory.At("linked-folder/log"));
        AppendLines([path, directory.At("linked-folder/log"), directory.At("linked-file")]);
        File.ReadLines(path).Count(line => line == "line").Should().Be(3 * LinesOfEach);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "FIFOs")]
    public void Append_ThatBlocks_HoldsUpNoOtherRun() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string fifo = directory.Fifo("fifo");
        using ProcessEngine engine = ProcessEngine.Simulate(command =>
            new SimulatedRun(new string('x', command.FileName == "much" ? 1_000_000 : 1)));
        using FileStream reader = new(fifo, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, bufferSize: 0);
        using ChildProcess blocked =
            (new ProcessCommand("much") { StandardOutput = OutputTarget.ToFile(fifo, append: true) }).Start(engine);
        reader.ReadByte().Should().Be('x', "the write that never ends has begun");
        string log = directory.At("log");
        (new ProcessCommand("little") { StandardOutput = OutputTarget.ToFile(log, append: true) }).Run(engine);
        File.ReadAllText(log).Should().Be("x");
    });

    private static void AppendLines(params IEnumerable<string> paths)
    {
        Thread[] threads = [.. paths.Select(path => new Thread(() =>
        {
            FileReceiver receiver = new(path, append: true, ChildOutput.Output);
            receiver.Open();
            for (int i = 0; i < LinesOfEach; i++)
            {
                receiver.OnBytes("line\n"u8, DateTimeOffset.UnixEpoch);
            }

            receiver.OnEnd(isWhole: true);
        }))];
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
    }
}
