using System;
using System.Buffers;
using System.Collections.Generic;
using FluentAssertions;
using ProcessRunner.Streams;
using ProcessRunner.Streams.Capture;
using Xunit;

namespace ProcessRunner.Tests.Streams;

public sealed class SegmentChainTests
{
    private static readonly SegmentPool s_pool = new(new CaptureBudget(long.MaxValue));

    [Fact]
    public void Chain_ThatGotNothing_IsEmpty()
    {
        SegmentChain chain = default;
        chain.Bytes.IsEmpty.Should().BeTrue();
        chain.Room.IsEmpty.Should().BeTrue();
        chain.Commit(0);
        chain.Append([], s_pool);
        chain.Bytes.IsEmpty.Should().BeTrue();
    }

    [Theory]
    [InlineData(1, 10)]
    [InlineData(2, 300)]
    [InlineData(3, 5_000)]
    [InlineData(4, 100_000)]
    [InlineData(5, 300_000)]
    public void Chain_FilledInRandomPieces_KeepsEveryByteInOrder(int seed, int largestPiece)
    {
        Random random = new(seed);
        SegmentChain chain = default;
        List<byte> reference = [];
        for (int step = 0; step < 60; step++)
        {
            // The pieces arrive as in a read: first the bytes that fit, then the rest.
            byte[] piece = new byte[random.Next(largestPiece)];
            random.NextBytes(piece);
            int direct = Math.Min(piece.Length, chain.Room.Length);
            piece.AsSpan(0, direct).CopyTo(chain.Room);
            chain.Commit(direct);
            chain.Append(piece.AsSpan(direct), s_pool);
            reference.AddRange(piece);
            chain.Bytes.Length.Should().Be(reference.Count);
        }

        chain.Bytes.ToArray().AsSpan().SequenceEqual(reference.ToArray()).Should().BeTrue();
    }

    [Fact]
    public void Bytes_TakenBeforeMoreCame_StayAsTheyWere()
    {
        SegmentChain chain = default;
        chain.Append([1, 2, 3], s_pool);
        ReadOnlySequence<byte> before = chain.Bytes;
        chain.Append(new byte[100_000], s_pool);
        before.ToArray().Should().Equal(1, 2, 3);
    }
}
