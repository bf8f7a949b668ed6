using System.Linq;
using System.Runtime.Versioning;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends.Linux;
using ProcessRunner.Interop;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Backends;

/// <summary>A pipe that was full becomes larger, as long as the budget of the process allows.</summary>
[Collection(Alone.Name)]
[SupportedOSPlatform("linux")]
public sealed class LargePipesTests
{
    private const int Large = LargePipes.DefaultSize * 4;
    private const int MostLarge = LargePipes.Budget / Large;
    private const int MostLargest = LargePipes.Budget / LargePipes.Largest;

    [Fact]
    public void APipeThatWasNeverFull_StaysAsItIs() => Guard.Run(() =>
    {
        OpenPipe pipe = new();
        pipe.NoteRead(100, LargePipes.DefaultSize - 1);
        pipe.Size.Should().Be(LargePipes.DefaultSize);
        pipe.Close();
    });

    [Fact]
    public void APipeThatWasFull_BecomesLargeAtOnceAndLargestAfterAMebibyte() => Guard.Run(() =>
    {
        OpenPipe pipe = new();
        pipe.NoteRead(1);
        pipe.Size.Should().Be(Large);
        pipe.NoteRead(14);
        pipe.Size.Should().Be(Large);
        pipe.NoteRead(1);
        pipe.Size.Should().Be(LargePipes.Largest);
        pipe.NoteRead(100);
        pipe.Size.Should().Be(LargePipes.Largest);
        pipe.Close();
    });

    // A child can have done that itself, and where memory pages have 64 KiB every pipe has so much from the start.
    [Fact]
    public void APipeThatIsLargerAlready_DoesNotBecomeSmaller() => Guard.Run(() =>
    {
        OpenPipe pipe = new() { Size = LargePipes.Largest };
        pipe.NoteRead(1);
        pipe.Size.Should().Be(LargePipes.Largest);
        pipe.Close();
    });

    [Fact]
    public void FullPipesBeyondTheBudget_BecomeLargeWhenOthersAreClosed() => Guard.Run(() =>
    {
        OpenPipe[] pipes = Open(MostLarge + 2, fullReads: 1);
        SizesOf(pipes).Should().Be((0, MostLarge, 2));
        pipes[1].NoteRead(16);
        pipes[1].Size.Should().Be(Large, "three times as much is not left");

        // Closed twice it is one less all the same.
        pipes[0].Close();
        pipes[0].Close();
        pipes[^1].NoteRead(1);
        pipes[^2].NoteRead(1);
        SizesOf(pipes[1..]).Should().Be((0, MostLarge, 1));
        CloseAll(pipes);
    });

    [Fact]
    public void TheLargestPipes_TakeAsMuchOfTheBudgetAsTheyHave() => Guard.Run(() =>
    {
        OpenPipe[] pipes = Open(MostLargest + 1, fullReads: 16);
        SizesOf(pipes).Should().Be((MostLargest, 0, 1));
        CloseAll(pipes);

        pipes = Open(MostLargest, fullReads: 16);
        SizesOf(pipes).Should().Be((MostLargest, 0, 0));
        CloseAll(pipes);
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

        OpenPipe[] pipes = Open(MostLarge, fullReads: 1);
        SizesOf(pipes).Should().Be((0, MostLarge, 0));
        CloseAll(pipes);
    });

    private static OpenPipe[] Open(int count, int fullReads)
    {
        OpenPipe[] pipes = [.. Enumerable.Range(0, count).Select(_ => new OpenPipe())];
        foreach (OpenPipe pipe in pipes)
        {
            pipe.NoteRead(fullReads);
        }

        return pipes;
    }

    private static void CloseAll(OpenPipe[] pipes)
    {
        foreach (OpenPipe pipe in pipes)
        {
            pipe.Close();
        }
    }

    private static (int Largest, int Large, int Others) SizesOf(OpenPipe[] pipes)
    {
        int largest = pipes.Count(pipe => pipe.Size == LargePipes.Largest);
        int large = pipes.Count(pipe => pipe.Size == Large);
        return (largest, large, pipes.Length - largest - large);
    }

    private sealed class OpenPipe
    {
        private Pipe _pipe = Pipe.Open(weRead: true);
        private WatchedDescriptor _ours;

        public OpenPipe()
        {
            _ours = new WatchedDescriptor(_pipe.TakeOurs());
        }

        public int Size
        {
            get => LibC.Fcntl(_ours.Number, LibC.F_GETPIPE_SZ, 0);
            init => LibC.Fcntl(_ours.Number, LibC.F_SETPIPE_SZ, value).Should().Be(value);
        }

        public void NoteRead(int times, int count = LargePipes.DefaultSize)
        {
            for (int i = 0; i < times; i++)
            {
                _ours.NoteRead(count);
            }
        }

        public void Close()
        {
            // No reactor watches it, so none is asked.
            _ours.Close(reactor: null!);
            _pipe.Close();
        }
    }
}
