using System;
using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams.Delivery;

[Collection(Alone.Name)]
public sealed class LongLineTests
{
    private const long Length = 200_000_000;
    private const long MuchMemory = 100_000_000;
    private const long LittleMemory = 10_000_000;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Line_OfTwoHundredMegabytes_ComesInPiecesAndInBoundedMemory(bool isLive) => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("repeat", "x", $"{Length}", "echo", "", "echo", "end");
        long total = 0;
        int pieces = 0;
        int whole = 0;
        long most = 0;
        string last = "";
        long before = GC.GetTotalMemory(forceFullCollection: true);
        void Take(OutputLine line)
        {
            total += line.Content.Length;
            pieces += line.IsPartial ? 1 : 0;
            whole += line.IsPartial ? 0 : 1;
            last = line.Content;
            if (pieces % 20 == 0)
            {
                most = Math.Max(most, GC.GetTotalMemory(forceFullCollection: true) - before);
            }
        }

        if (isLive)
        {
            using ChildProcess child = (command with { StandardOutput = OutputTarget.Live() }).Start();
            do
            {
                while (child.Lines.TryRead(out OutputLine line))
                {
                    Take(line);
                }
            }
            while (child.Lines.WaitToReadAsync().AsTask().GetAwaiter().GetResult());

            child.Wait().EnsureSuccess();
        }
        else
        {
            (command with { StandardOutput = OutputTarget.ToLines(Take) }).Run().EnsureSuccess();
        }

        total.Should().Be(Length + 3);
        pieces.Should().Be((int)(Length / (1024 * 1024)));
        whole.Should().Be(2);
        last.Should().Be("end");
        if (!isLive)
        {
            most.Should().BeLessThan(MuchMemory);
        }
    });

    [Fact]
    public void Line_OfTwoHundredMegabytes_IsCapturedToTheByte() => Guard.Run(() =>
    {
        CapturedOutput output =
            TestPrograms.Quick("repeat", "x", $"{Length}", "echo", "").Run().EnsureSuccess().StandardOutput;
        output.TotalBytes.Should().Be(Length + 1);
        output.IsTruncated.Should().BeFalse();
        using Stream stream = output.OpenRead();
        stream.Length.Should().Be(Length + 1);
        byte[] chunk = new byte[1_000_000];
        for (long place = 0; place < Length; place += chunk.Length)
        {
            stream.ReadExactly(chunk);
            chunk.AsSpan().IndexOfAnyExcept((byte)'x').Should().Be(-1);
        }

        stream.ReadByte().Should().Be('\n');
        stream.ReadByte().Should().Be(-1);
    });

    [Fact]
    public void LiveLine_OfTwoHundredMegabytesThatNobodyReads_TakesBoundedMemory() => Guard.Run(() =>
    {
        long before = GC.GetTotalMemory(forceFullCollection: true);
        ProcessCommand command = TestPrograms.Quick("repeat", "x", $"{Length}", "echo", "") with
        {
            StandardOutput = OutputTarget.Live(new LineOptions { MaxLength = 64 * 1024 }),
        };
        using ChildProcess child = command.Start();
        Eventually.Is(() => child.Lines.Count >= 2, "the channel is full of characters");
        long more = GC.GetTotalMemory(forceFullCollection: true) - before;
        more.Should().BeLessThan(LittleMemory);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void LiveLines_ThatNobodyReadsOfStoppedChildren_TakeAsMuchMemoryAsTheirBytes() => Guard.Run(() =>
    {
        // As objects, the empty lines would take about fifty times as much.
        const int Children = 30;
        ProcessCommand command = TestPrograms.Quick("repeat", "\n", $"{long.MaxValue}") with
        {
            StandardOutput = OutputTarget.Live(),
        };
        long before = GC.GetTotalMemory(forceFullCollection: true);
        ChildProcess[] children = [.. Enumerable.Range(0, Children).Select(_ => command.Start())];
        Array.ForEach(children, child => StreamingSupport.WrittenOnceBlocked(child.ProcessId));
        long[] written = [.. children.Select(child => child.Stop().StandardOutput.TotalBytes)];
        long more = GC.GetTotalMemory(forceFullCollection: true) - before;
        more.Should().BeLessThan(MuchMemory);
        for (int i = 0; i < Children; i++)
        {
            children[i].ReadLines().LongCount().Should().Be(written[i], "a line is a byte");
            children[i].Dispose();
        }
    });

    [NativeBackend("this process writes the file of a child, and gets the error")]
    [FactWithRight(Right.Mount)]
    [OnlyOn(Systems.Linux, "a scenario of the test host")]
    public void FullDisk_UnderASpillOrAFile_IsAnErrorOfThatChildAlone() => Guard.Run(() =>
        HostProcess.PlayWith(
            "exec unshare --mount sh -c 'mount -t tmpfs -o size=1m none /mnt "
            + "&& TMPDIR=/mnt DOTNET_EnableDiagnostics=0 exec \"$@\"' sh \"$@\"",
            "full-disk",
            "/mnt"));
}
