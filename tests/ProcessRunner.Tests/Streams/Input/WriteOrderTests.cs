using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams.Input;

/// <summary>Verifies hand-written input by overlapping calls: it reaches the child in the order of the calls.</summary>
public sealed class WriteOrderTests
{
    // The size exceeds the capacity of the pipe and the buffer before it together.
    private const int TooMuch = 1_000_000;

    private static readonly ProcessCommand s_cat = TestPrograms.Quick("stdin") with
    {
        StandardInput = InputSource.Pipe,
    };

    [Fact]
    public void WriteAsync_CalledManyTimesWithoutAnAwait_KeepsTheOrderOfTheCalls() => Guard.Run(() =>
    {
        using ChildProcess child = s_cat.Start();
        byte[][] pieces = Pieces(3000);
        List<Task> writes = [.. pieces.Select(piece => child.StandardInput.WriteAsync(piece).AsTask())];
        child.StandardInput.Close();
        Task.WaitAll([.. writes]);
        ShouldBe(child.Wait().EnsureSuccess(), pieces);
    });

    [Fact]
    public void Writes_OfEveryKindInTurn_KeepTheOrderOfTheCalls() => Guard.Run(() =>
    {
        using ChildProcess child = s_cat.Start();
        byte[][] pieces = Pieces(3000);
        for (int i = 0; i < pieces.Length; i++)
        {
            byte[] piece = pieces[i];
            switch (i % 4)
            {
                case 0:
                    child.StandardInput.Write(piece);
                    break;

                case 1:
                    child.StandardInput.BeginWrite(piece, 0, piece.Length, callback: null, state: null);
                    break;

                case 2:
                    child.StandardInput.WriteAsync(piece, 0, piece.Length);
                    break;

                default:
                    _ = child.StandardInput.WriteAsync(piece).AsTask();
                    break;
            }
        }

        child.StandardInput.DisposeAsync().AsTask().GetAwaiter().GetResult();
        ShouldBe(child.Wait().EnsureSuccess(), pieces);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void Write_WhoseThreadIsInterrupted_EndsThereAndHoldsUpNoOther() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string go = directory.Fifo("go");
        ProcessCommand command =
            TestPrograms.Shell("read line <\"$1\"; cat", go) with { StandardInput = InputSource.Pipe };
        using ChildProcess child = command.Start();
        Exception? thrown = null;
        Thread writer = new(() => thrown = Record.Exception(() => child.StandardInput.Write(new byte[TooMuch])));
        writer.Start();
        writer.Interrupt();
        writer.Join();
        thrown.Should().BeOfType<ThreadInterruptedException>();
        File.AppendAllText(go, "go\n");
        child.StandardInput.Write("next"u8);
        child.StandardInput.Close();
        child.Wait().EnsureSuccess().StandardOutput.Text.TrimStart('\0').Should().Be("next");
    });

    [Fact]
    public void Write_BesideOthers_IsNeverCutByThemHoweverLargeItIs() => Guard.Run(() =>
    {
        const int Size = 100_000;
        using ChildProcess child = s_cat.Start();
        Races.Plain.Threads(4, 80, repetition =>
        {
            byte[] bytes = new byte[Size];
            Array.Fill(bytes, (byte)repetition);
            if (repetition % 2 == 0)
            {
                child.StandardInput.Write(bytes);
            }
            else
            {
                child.StandardInput.WriteAsync(bytes).AsTask().GetAwaiter().GetResult();
            }
        });
        child.StandardInput.Close();
        byte[] all = child.Wait().EnsureSuccess().StandardOutput.Bytes.ToArray();
        all.Length.Should().Be(Crowd.Of(80) * Size);
        all.Chunk(Size).Should().OnlyContain(chunk => Array.TrueForAll(chunk, one => one == chunk[0]));
        all.Chunk(Size).Select(chunk => chunk[0]).Should().OnlyHaveUniqueItems();
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void WriteAsync_ToAChildThatDoesNotRead_IsPendingUntilItDoes() => Guard.Run(() =>
    {
        using WaitingChild waiting = new("exec wc -c");
        Task first = waiting.Input.WriteAsync(new byte[TooMuch]).AsTask();
        Task second = waiting.Input.WriteAsync(new byte[1]).AsTask();
        first.IsCompleted.Should().BeFalse();
        second.IsCompleted.Should().BeFalse("it stands behind the first");
        waiting.LetRead();
        Task.WaitAll(first, second);
        waiting.Input.Close();
        waiting.Child.Wait().EnsureSuccess().StandardOutput.Text.Trim().Should().Be($"{TooMuch + 1}");
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void WriteAsync_CanceledInTheQueue_LeavesNoByteOfItAndTheOthersWhole() => Guard.Run(() =>
    {
        using WaitingChild waiting = new("exec cat");
        using CancellationTokenSource source = new();
        byte[] first = StreamingSupport.RandomBytes(1, TooMuch);
        byte[] second = StreamingSupport.RandomBytes(2, 10);
        byte[] third = StreamingSupport.RandomBytes(3, TooMuch);
        Task begun = waiting.Input.WriteAsync(first).AsTask();
        Task canceled = waiting.Input.WriteAsync(second, source.Token).AsTask();
        Task behind = waiting.Input.WriteAsync(third).AsTask();
        source.Cancel();
        canceled.IsCanceled.Should().BeTrue();
        Array.Clear(second);
        waiting.LetRead();
        Task.WaitAll(begun, behind);
        waiting.Input.Close();
        ShouldBe(waiting.Child.Wait().EnsureSuccess(), first, third);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void WriteAsync_CanceledInItsMiddle_EndsThereAndTheNextGoesOn() => Guard.Run(() =>
    {
        using WaitingChild waiting = new("exec cat");
        using CancellationTokenSource source = new();
        byte[] first = StreamingSupport.RandomBytes(1, TooMuch);
        byte[] copy = [.. first];
        Task begun = waiting.Input.WriteAsync(first, source.Token).AsTask();
        Task behind = waiting.Input.WriteAsync("end"u8.ToArray()).AsTask();
        source.Cancel();
        begun.IsCanceled.Should().BeTrue();

        // The bytes that were not accepted belong to their owner again.
        Array.Clear(first);
        waiting.LetRead();
        behind.GetAwaiter().GetResult();
        waiting.Input.Close();
        byte[] all = waiting.Child.Wait().EnsureSuccess().StandardOutput.Bytes.ToArray();
        all.Length.Should().BeInRange(4, TooMuch);
        all.AsSpan().EndsWith("end"u8).Should().BeTrue();
        all.AsSpan(0, all.Length - 3).SequenceEqual(copy.AsSpan(0, all.Length - 3)).Should().BeTrue();
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void WriteAsync_OfNothing_IsDoneAtOnceWhateverWaits() => Guard.Run(() =>
    {
        using WaitingChild waiting = new("exec wc -c");
        Task first = waiting.Input.WriteAsync(new byte[TooMuch]).AsTask();
        waiting.Input.WriteAsync(ReadOnlyMemory<byte>.Empty).AsTask().IsCompletedSuccessfully.Should().BeTrue();
        waiting.Input.Write([]);
        waiting.Input.Close();
        waiting.LetRead();
        first.GetAwaiter().GetResult();
        waiting.Child.Wait().EnsureSuccess().StandardOutput.Text.Trim().Should().Be($"{TooMuch}");
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void WriteAsync_ToAChildThatIsKilled_CompletesWithoutAnError() => Guard.Run(() =>
    {
        using WaitingChild waiting = new("exec cat");
        Task[] writes = [.. Enumerable.Range(0, 10).Select(_ => waiting.Input.WriteAsync(new byte[TooMuch]).AsTask())];
        Thread blocked = new(() => waiting.Input.Write(new byte[TooMuch]));
        blocked.Start();
        waiting.Child.Kill();
        Task.WaitAll(writes);
        blocked.Join();
        waiting.Child.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
        waiting.Input.WriteAsync(new byte[TooMuch]).AsTask().IsCompletedSuccessfully.Should().BeTrue();
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void WriteAsync_AfterClose_FailsAndWhatWasWrittenBeforeStillArrives() => Guard.Run(() =>
    {
        using WaitingChild waiting = new("exec wc -c");
        Task before = waiting.Input.WriteAsync(new byte[TooMuch]).AsTask();
        waiting.Input.CanWrite.Should().BeTrue();
        waiting.Input.Close();
        Task after = waiting.Input.WriteAsync(new byte[1]).AsTask();
        after.IsFaulted.Should().BeTrue();
        after.Exception!.InnerException.Should().BeOfType<ObjectDisposedException>();
        FluentActions.Invoking(() => waiting.Input.WriteByte(1)).Should().ThrowExactly<ObjectDisposedException>();
        waiting.Input.CanWrite.Should().BeFalse();
        waiting.LetRead();
        before.GetAwaiter().GetResult();
        waiting.Child.Wait().EnsureSuccess().StandardOutput.Text.Trim().Should().Be($"{TooMuch}");
    });

    // The pieces range from a few bytes to more than the buffer, and each has its number.
    private static byte[][] Pieces(int count)
    {
        Random random = new(7);
        return [.. Enumerable.Range(0, count).Select(number =>
        {
            int size = number % 500 == 0 ? 200_000 : random.Next(10, 200);
            return Encoding.ASCII.GetBytes($"{number}".PadLeft(size) + "\n");
        })];
    }

    private static void ShouldBe(ProcessResult result, params byte[][] pieces) =>
        result.StandardOutput.Bytes.ToArray().AsSpan().SequenceEqual(pieces.SelectMany(piece => piece).ToArray())
            .Should().BeTrue("the child reads the bytes in the order of the calls");

    /// <summary>Represents a child that reads nothing until it is allowed to.</summary>
    private sealed class WaitingChild : IDisposable
    {
        private readonly TemporaryDirectory _directory = new();
        private readonly string _fifo;

        public WaitingChild(string then)
        {
            _fifo = _directory.Fifo("go");
            Child =
                (TestPrograms.Shell($"read go <'{_fifo}'; {then}") with { StandardInput = InputSource.Pipe }).Start();
        }

        public ChildProcess Child { get; }

        public Stream Input => Child.StandardInput;

        public void LetRead() => File.WriteAllText(_fifo, "go\n");

        public void Dispose()
        {
            Child.Dispose();
            _directory.Dispose();
        }
    }
}
