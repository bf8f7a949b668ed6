using System;
using System.Collections.Generic;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using Xunit;

namespace ProcessRunner.Tests.Backends.Primitives;

public sealed class DeadlineHeapTests
{
    [Fact]
    public void Earliest_OfEmptyHeap_IsNever()
    {
        DeadlineHeap heap = new();
        heap.Earliest.Should().Be(MonotonicClock.Never);
        heap.TakeExpired(long.MaxValue - 1).Should().BeNull();
    }

    [Fact]
    public void TakingAway_OfAChildThatIsNotThere_DoesNothing()
    {
        DeadlineHeap heap = new();
        ShellChild child = new();
        heap.Admit(child);
        heap.Set(child, MonotonicClock.Never);
        child.DeadlineIndex.Should().Be(-1);
        heap.Earliest.Should().Be(MonotonicClock.Never);
    }

    [Fact]
    public void TakeExpired_AtTheVeryInstant_TakesTheChildOnce()
    {
        DeadlineHeap heap = new();
        ShellChild child = new();
        heap.Admit(child);
        heap.Set(child, 10);
        heap.TakeExpired(9).Should().BeNull();
        heap.TakeExpired(10).Should().BeSameAs(child);
        heap.TakeExpired(10).Should().BeNull();
        (child.DeadlineIndex, child.Deadline).Should().Be((-1, MonotonicClock.Never));
    }

    [Fact]
    public void Set_OfAChildThatIsNotAdmitted_DoesNothing()
    {
        DeadlineHeap heap = new();
        ShellChild child = new();
        heap.Set(child, 10);
        heap.Admit(child);
        heap.Set(child, 10);
        heap.Remove(child);
        heap.Remove(child);
        heap.Set(child, 10);
        heap.Earliest.Should().Be(MonotonicClock.Never);
        (child.DeadlineIndex, child.Deadline).Should().Be((-1, MonotonicClock.Never));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    public void Heap_UnderRandomOperations_AgreesWithASortedReference(int seed)
    {
        Random random = new(seed);
        DeadlineHeap heap = new();
        ShellChild[] children = [.. Enumerable.Range(0, 100 * seed).Select(_ => new ShellChild())];
        Array.ForEach(children, heap.Admit);
        Dictionary<BackendChild, long> reference = [];
        for (int step = 0; step < 20_000; step++)
        {
            switch (random.Next(4))
            {
                case 0 or 1:
                    // The few distinct instants make many of them equal.
                    Set(children[random.Next(children.Length)], random.Next(200));
                    break;

                case 2:
                    Set(children[random.Next(children.Length)], MonotonicClock.Never);
                    break;

                default:
                    Take(random.Next(220) - 10);
                    break;
            }

            heap.Earliest.Should().Be(reference.Count == 0 ? MonotonicClock.Never : reference.Values.Min());
        }

        while (reference.Count > 0)
        {
            Take(long.MaxValue - 1);
        }

        heap.Earliest.Should().Be(MonotonicClock.Never);
        children.Should().OnlyContain(child => child.DeadlineIndex == -1);

        void Set(ShellChild child, long instant)
        {
            heap.Set(child, instant);
            child.Deadline.Should().Be(instant);
            if (instant == MonotonicClock.Never)
            {
                reference.Remove(child);
            }
            else
            {
                reference[child] = instant;
            }

            (child.DeadlineIndex >= 0).Should().Be(reference.ContainsKey(child));
        }

        void Take(long now)
        {
            BackendChild? taken = (BackendChild?)heap.TakeExpired(now);
            if (reference.Count == 0 || reference.Values.Min() > now)
            {
                taken.Should().BeNull();
            }
            else
            {
                reference[taken!].Should().Be(reference.Values.Min());
                reference.Remove(taken!);
                taken!.DeadlineIndex.Should().Be(-1);
            }
        }
    }
}
