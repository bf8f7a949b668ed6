using System;
using System.Linq;
using System.Runtime.Versioning;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.Interop;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux.Io;

/// <summary>Verifies that a full pipe becomes larger within the budget of the process.</summary>
[OnlyOn(Systems.Linux, "the Linux backend itself")]
[Collection(Alone.Name)]
[SupportedOSPlatform("linux")]
[NativeBackend("the Linux backend itself")]
public sealed class PipeSizeBudgetTests
{
    private const int Large = PipeSizeBudget.DefaultSize * 4;
    private const int MostLarge = PipeSizeBudget.Budget / Large;
    private const int MostLargest = PipeSizeBudget.Budget / PipeSizeBudget.Largest;

    [Fact]
    public void APipeThatWasNeverFull_StaysAsItIs() => Guard.Run(() =>
    {
        using OpenPipe pipe = new();
        pipe.NoteRead(100, PipeSizeBudget.DefaultSize - 1);
        pipe.Size.Should().Be(PipeSizeBudget.DefaultSize);
    });

    [Fact]
    public void APipeThatWasFull_BecomesLargeAtOnceAndLargestAfterAMebibyte() => Guard.Run(() =>
    {
        using OpenPipe pipe = new();
        pipe.NoteRead(1);
        pipe.Size.Should().Be(Large);
        pipe.NoteRead(14);
        pipe.Size.Should().Be(Large);
        pipe.NoteRead(1);
        pipe.Size.Should().Be(PipeSizeBudget.Largest);
        pipe.NoteRead(100);
        pipe.Size.Should().Be(PipeSizeBudget.Largest);
    });

    // A child may have enlarged its pipe itself, and with memory pages of 64 KiB every pipe has this size from the
    // start.
    [Fact]
    public void APipeThatIsLargerAlready_DoesNotBecomeSmaller() => Guard.Run(() =>
    {
        using OpenPipe pipe = new() { Size = PipeSizeBudget.Largest };
        pipe.NoteRead(1);
        pipe.Size.Should().Be(PipeSizeBudget.Largest);
    });

    [Fact]
    public void FullPipesBeyondTheBudget_BecomeLargeWhenOthersAreClosed() => Guard.Run(() =>
    {
        using OpenPipes pipes = new(MostLarge + 2, fullReads: 1);
        pipes.Sizes.Should().Be((0, MostLarge, 2));
        pipes[1].NoteRead(16);
        pipes[1].Size.Should().Be(Large, "the budget does not allow the largest size");

        // The second disposal must not decrease the count again.
        pipes[0].Dispose();
        pipes[0].Dispose();
        pipes[^1].NoteRead(1);
        pipes[^2].NoteRead(1);
        pipes.Sizes.Should().Be((0, MostLarge, 1));
    });

    [Fact]
    public void TheLargestPipes_TakeAsMuchOfTheBudgetAsTheyHave() => Guard.Run(() =>
    {
        using (OpenPipes pipes = new(MostLargest + 1, fullReads: 16))
        {
            pipes.Sizes.Should().Be((MostLargest, 0, 1));
        }

        using OpenPipes others = new(MostLargest, fullReads: 16);
        others.Sizes.Should().Be((MostLargest, 0, 0));
    });

    [Fact]
    public void PipesOfChildrenThatHaveEnded_NoLongerCount() => Guard.Run(() =>
    {
        for (int i = 0; i < MostLarge; i++)
        {
            TestPrograms.Shell("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2").Run()
                .StandardError.TotalBytes.Should().Be(1_000_000);
            using ManualResetEventSlim hasWritten = new();
            long written = 0;
            ProcessCommand endless = new("cat", "/dev/zero")
            {
                StandardOutput = OutputTarget.ToBytes(bytes =>
                {
                    if ((written += bytes.Length) > 1_000_000)
                    {
                        hasWritten.Set();
                    }
                }),
            };
            using ChildProcess killed = endless.Start();
            hasWritten.Wait();
            killed.Kill();
            killed.Wait();
        }

        using OpenPipes pipes = new(MostLarge, fullReads: 1);
        pipes.Sizes.Should().Be((0, MostLarge, 0));
    });

    private sealed class OpenPipes : IDisposable
    {
        private readonly OpenPipe[] _pipes;

        public OpenPipes(int count, int fullReads)
        {
            _pipes = [.. Enumerable.Range(0, count).Select(_ => new OpenPipe())];
            foreach (OpenPipe pipe in _pipes)
            {
                pipe.NoteRead(fullReads);
            }
        }

        public (int Largest, int Large, int Others) Sizes
        {
            get
            {
                int[] sizes = [.. _pipes.Where(pipe => pipe.IsOpen).Select(pipe => pipe.Size)];
                int largest = sizes.Count(size => size == PipeSizeBudget.Largest);
                int large = sizes.Count(size => size == Large);
                return (largest, large, sizes.Length - largest - large);
            }
        }

        public OpenPipe this[Index index] => _pipes[index];

        public void Dispose()
        {
            foreach (OpenPipe pipe in _pipes)
            {
                pipe.Dispose();
            }
        }
    }

    private sealed class OpenPipe : IDisposable
    {
        private LinuxPipe _pipe = LinuxPipe.Open(weRead: true);
        private WatchedDescriptor _ours;

        public OpenPipe()
        {
            _ours = new WatchedDescriptor(_pipe.TakeOurs(), EventPart.Output);
        }

        public bool IsOpen => _ours.IsOpen;

        public int Size
        {
            get => LibC.Fcntl(_ours.Number, LibC.F_GETPIPE_SZ, 0);
            init => LibC.Fcntl(_ours.Number, LibC.F_SETPIPE_SZ, value).Should().Be(value);
        }

        public void NoteRead(int times, int count = PipeSizeBudget.DefaultSize)
        {
            for (int i = 0; i < times; i++)
            {
                _ours.NoteRead(count);
            }
        }

        public void Dispose()
        {
            // No reactor watches the pipe, so none is needed.
            _ours.Close(reactor: null!);
            _pipe.Close();
        }
    }
}
