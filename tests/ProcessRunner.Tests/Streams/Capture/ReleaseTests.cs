using System;
using System.Buffers;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Capture;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Capture;

/// <summary>Verifies released captures and the pool that receives their memory.</summary>
public sealed class ReleaseTests
{
    private const int Size = 5 * SegmentPool.SegmentSize;

    private static readonly ProcessCommand s_writer = TestPrograms.Quick("repeat", $"x", $"{Size}");

    [Fact]
    public void ReleasedCapture_GivesBackItsBudget_AndRefusesItsBytes() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        CapturedOutput output = s_writer.Run(engine).StandardOutput;
        output.Bytes.Length.Should().Be(Size);
        StreamingSupport.BudgetOf(engine).Used.Should().BeGreaterThanOrEqualTo(Size - CaptureLease.FreeOfCharge);

        output.Release();
        output.Release();

        StreamingSupport.BudgetOf(engine).Used.Should().Be(0);
        output.TotalBytes.Should().Be(Size);
        output.IsTruncated.Should().BeFalse();
        FluentActions.Invoking(() => output.Bytes).Should().ThrowExactly<ObjectDisposedException>();
        FluentActions.Invoking(output.OpenRead).Should().ThrowExactly<ObjectDisposedException>();
        FluentActions.Invoking(() => output.Text).Should().ThrowExactly<ObjectDisposedException>();
    });

    // The finalizer returns the rest of an unreachable lease.
    [Fact]
    public void ReleasedLease_ThatNobodyHolds_GivesBackNothingTwice()
    {
        CaptureBudget budget = new(100);
        TakeAndRelease(new SegmentPool(budget));
        GC.Collect();
        GC.WaitForPendingFinalizers();
        budget.Used.Should().Be(10);
    }

    // The run was stopped while its spill was in a slow write, and did not wait for that.
    [Fact]
    public void ResultOfASpill_ThatIsWrittenOnLater_StaysAsItIs()
    {
        SegmentPool segments = new(new CaptureBudget(100));
        GrowingFile file = new();
        file.Append("ab"u8);
        CapturedOutput output =
            new(default, new Decoding(Encoding.UTF8), new CaptureLease(segments) { Spilled = file }) { TotalBytes = 4 };
        using Stream stream = output.OpenRead();
        file.Append("cd"u8);

        output.Text.Should().StartWith("ab");
        output.Bytes.ToArray().Should().Equal("ab"u8.ToArray());
        stream.Length.Should().Be(2);
        stream.Read(new byte[10]).Should().Be(2);
        stream.Read(new byte[10]).Should().Be(0);
    }

    [Fact]
    public void ResultOfASpill_WhoseFileComesLater_StaysInMemory()
    {
        CaptureLease lease = new(new SegmentPool(new CaptureBudget(100)));
        CapturedOutput output = new(default, new Decoding(Encoding.UTF8), lease) { TotalBytes = 4 };
        lease.Spilled = new GrowingFile();
        lease.Spilled.Append("ab"u8);

        output.IsSpilled.Should().BeFalse();
        output.OpenRead().ReadByte().Should().Be(-1);
    }

    [Fact]
    public void TextThatWasUsed_StaysAfterTheRelease() => Guard.Run(() =>
    {
        CapturedOutput output = s_writer.Run().StandardOutput;
        string text = output.Text;
        output.Release();
        output.Text.Should().BeSameAs(text);
        text.Length.Should().Be(Size);
    });

    [Fact]
    public void NextCaptures_HaveTheirOwnBytes_InTheMemoryOfReleasedOnes() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        for (int i = 0; i < 20; i++)
        {
            string letter = $"{(char)('a' + i)}";
            CapturedOutput output =
                TestPrograms.Quick("repeat", $"{letter}", $"{Size}").Run(engine).StandardOutput;
            output.Bytes.ToArray().AsSpan().Count((byte)letter[0]).Should().Be(Size);
            output.Release();
        }
    });

    [Fact]
    public void SmallAndEmptyCaptures_AreReleasedAsWell() => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Quick("echo", "small").Run();
        result.StandardError.Release();
        result.StandardOutput.Release();
        result.StandardError.Text.Should().BeEmpty();
        FluentActions.Invoking(() => result.StandardOutput.Bytes).Should().ThrowExactly<ObjectDisposedException>();
        TestPrograms.Quick().Run().StandardOutput.Bytes.IsEmpty.Should().BeTrue();
    });

    [Fact]
    public void SpilledCapture_LosesItsFileAtTheRelease() => Guard.Run(() =>
    {
        ProcessCommand command =
            s_writer with { StandardOutput = OutputTarget.Capture(1000, CapturePolicy.SpillToFile) };
        CapturedOutput output = command.Run().StandardOutput;
        output.IsSpilled.Should().BeTrue();
        using Stream before = output.OpenRead();
        output.Release();
        FluentActions.Invoking(() => before.ReadExactly(new byte[2000]))
            .Should().ThrowExactly<ObjectDisposedException>();
    });

    [Fact]
    public void Pool_HandsOutWhatCameBack_AndKeepsNoMoreThanTheBudget()
    {
        SegmentPool pool = new(new CaptureBudget(3 * SegmentPool.SegmentSize));
        byte[][] segments = [.. Enumerable.Range(0, 5).Select(_ => pool.Rent())];
        segments.Should().OnlyHaveUniqueItems().And.OnlyContain(segment => segment.Length == SegmentPool.SegmentSize);
        Array.ForEach(segments, pool.Return);
        pool.Count.Should().Be(3);
        pool.Rent().Should().BeSameAs(segments[2]);
        pool.Count.Should().Be(2);
    }

    // A separate method, so that no local keeps the lease alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void TakeAndRelease(SegmentPool segments)
    {
        CaptureLease lease = new(segments);
        lease.TryExtend(60).Should().BeTrue();
        segments.Budget.Take(10);
        SegmentChain memory = default;
        lease.Release(ref memory);
        segments.Budget.Used.Should().Be(10);
    }

    private sealed class GrowingFile : TemporaryFile
    {
        private readonly MemoryStream _bytes = new();

        public override void Append(ReadOnlySpan<byte> bytes)
        {
            _bytes.Position = Length;
            _bytes.Write(bytes);
            Length += bytes.Length;
        }

        public override int Read(Span<byte> buffer, long offset)
        {
            _bytes.Position = offset;
            return _bytes.Read(buffer);
        }

        public override void Dispose()
        {
        }
    }
}
