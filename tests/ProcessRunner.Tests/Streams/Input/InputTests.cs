using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams.Input;

[Collection(Alone.Name)]
public sealed class InputTests
{
    private static readonly ProcessCommand s_cat = TestPrograms.Quick("stdin");

    public static TheoryData<int> Sizes => [0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537, 1_000_000];

    [Theory]
    [InlineData("utf-8")]
    [InlineData("utf-16")]
    [InlineData("utf-32")]
    [InlineData("iso-8859-1")]
    public void FromText_IsInTheEncodingOfTheCommand(string name) => Guard.Run(() =>
    {
        Encoding encoding = Encoding.GetEncoding(name);
        string text = name == "iso-8859-1" ? "äöü\n" : "ä€😀\n";
        ProcessCommand command = s_cat with { StandardInput = InputSource.FromText(text), Encoding = encoding };
        CapturedOutput output = command.Run().EnsureSuccess().StandardOutput;
        output.Bytes.ToArray().Should().Equal(encoding.GetBytes(text));
        output.Text.Should().Be(text);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void FromText_ThatTheEncodingCannotEncode_FailsAndLeavesNothingBehind() => Guard.Run(() =>
    {
        s_cat.Run();
        int handles = ProcFs.OpenDescriptors;
        ProcessCommand command = TestPrograms.Quick("sleep", "1000000") with
        {
            StandardInput = InputSource.FromText("\uD800"),
            Encoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true),
        };
        StreamingSupport.Thrown(() => command.Run()).Should().BeAssignableTo<ArgumentException>();
        try
        {
            ProcFs.Children.Should().BeEmpty();
            Eventually.Is(() => ProcFs.OpenDescriptors <= handles, "no more descriptors are open than before");
        }
        finally
        {
            foreach (ProcessEntry left in ProcFs.Children)
            {
                new ProcessCommand("kill", "-KILL", $"{left.Id}").Run();
            }
        }
    });

    [Theory]
    [MemberData(nameof(Sizes))]
    public void EverySource_OfAnySize_ArrivesToTheByte(int size) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        byte[] bytes = StreamingSupport.RandomBytes(size, size);
        string path = directory.At("input");
        File.WriteAllBytes(path, bytes);
        using MemoryStream stream = new(bytes);
        foreach (InputSource source in (InputSource[])
            [InputSource.FromBytes(bytes), InputSource.FromFile(path), InputSource.FromStream(stream)])
        {
            CapturedOutput output = (s_cat with { StandardInput = source }).Run().EnsureSuccess().StandardOutput;
            output.Bytes.ToArray().AsSpan().SequenceEqual(bytes).Should().BeTrue();
        }

        stream.CanRead.Should().BeTrue("it stays open");
        ProcessCommand byHand = s_cat with { StandardInput = InputSource.Pipe };
        using ChildProcess child = byHand.Start();
        child.StandardInput.Write(bytes);
        child.StandardInput.Dispose();
        child.Wait().EnsureSuccess().StandardOutput.Bytes.ToArray().AsSpan().SequenceEqual(bytes).Should().BeTrue();
    });

    // A child can enlarge its pipe as far as it likes, and empty it at once. A write is then as large as the longest
    // turn.
    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Input_OfAChildWithALargePipe_ArrivesToTheByte() => Guard.Run(() =>
    {
        const int Size = 1024 * 1024;
        using TemporaryDirectory directory = new();
        string go = directory.Fifo("go");
        byte[] bytes = StreamingSupport.RandomBytes(7, 10 * Size);
        ProcessCommand command = TestPrograms.Shell("read go <\"$1\"; exec dd bs=1M", go) with
        {
            StandardInput = InputSource.FromBytes(bytes),
        };
        using ChildProcess child = command.Start();
        ChildPipe.Resize(child.ProcessId, descriptor: 0, Size);
        File.WriteAllText(go, "go\n");
        child.Wait().EnsureSuccess().StandardOutput.Bytes.ToArray().AsSpan().SequenceEqual(bytes).Should().BeTrue();
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void HundredMegabytes_ThroughAChildThatAnswersOnBothStreams_AreRightToTheByte(
        bool isStream) => Guard.Run(() =>
    {
        byte[] bytes = StreamingSupport.RandomBytes(1, 100_000_000);
        using MemoryStream stream = new(bytes);
        ProcessCommand command = TestPrograms.Quick("tee") with
        {
            StandardInput = isStream ? InputSource.FromStream(stream) : InputSource.FromBytes(bytes),
        };
        ProcessResult result = command.Run().EnsureSuccess();
        string expected = StreamingSupport.Hash(bytes);
        StreamingSupport.Hash(result.StandardOutput.OpenRead()).Should().Be(expected);
        StreamingSupport.Hash(result.StandardError.OpenRead()).Should().Be(expected);
    });

    [Fact]
    public void Flood_InBothDirectionsAtOnce_Ends() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick(
            "seq", "1", "3000000", "seq-err", "1", "1000000", "stdin-length") with
        {
            StandardInput = InputSource.FromBytes(new byte[20_000_000]),
        };
        ProcessResult result = command.Run().EnsureSuccess();
        result.StandardOutput.TotalBytes.Should().Be(22_888_896 + 9);
        result.StandardOutput.Text.Should().EndWith("\n20000000\n");
        result.StandardError.TotalBytes.Should().Be(6_888_896);
    });

    [Theory]
    [InlineData("exit 3")]
    [InlineData("head -c 1 >/dev/null; exit 3")]
    [InlineData("exec 0<&-; seq 1 100000; exit 3")]
    [InlineData("head -c 1000000 >/dev/null; exit 3")]
    [OnlyOn(Systems.Unix, "a shell script is the child")]
    public void Child_ThatStopsToReadEarly_IsNoError(string script) => Guard.Run(() =>
    {
        byte[] bytes = new byte[3_000_000];
        using MemoryStream stream = new(bytes);
        using EndlessStream endless = new();
        foreach (InputSource source in (InputSource[])
            [
                InputSource.FromBytes(bytes),
                InputSource.FromText(new string('x', bytes.Length)),
                InputSource.FromStream(stream),
                InputSource.FromStream(endless),
            ])
        {
            (TestPrograms.Shell(script) with { StandardInput = source }).Run().ExitCode.Should().Be(3);
        }
    });

    [Fact]
    public void EndlessSource_OfAChildThatNeverReads_IsReadOnlyAsFarAsItFits() => Guard.Run(() =>
    {
        using EndlessStream endless = new();
        ProcessCommand command = TestPrograms.Quick("echo", "ready", "sleep", "1000000") with
        {
            StandardInput = InputSource.FromStream(endless),
            StandardOutput = OutputTarget.Live(),
        };
        using ChildProcess child = command.Start();
        child.Lines.ReadAsync().AsTask().GetAwaiter().GetResult().Content.Should().Be("ready");
        Eventually.Is(() => endless.Count > 0, "the source is read");
        child.Kill();
        child.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
        endless.Count.Should().BeLessThan(1_000_000);
        ProcessEngine.Shared.LiveChildren.Should().Be(0);
    });

    [Fact]
    public void Source_ThatBlocksForEver_DoesNotHoldUpAResult() => Guard.Run(() =>
    {
        using BlockedStream blocked = new();
        ProcessCommand command = TestPrograms.Quick("return", "6") with
        {
            StandardInput = InputSource.FromStream(blocked),
        };
        command.Run().ExitCode.Should().Be(6);
        blocked.Release.Set();
    });

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(1_000_000)]
    public void Source_ThatThrows_IsToldByTheWaitAndTheChildSeesTheEnd(int before) => Guard.Run(() =>
    {
        using ThrowingStream source = new(before);
        ProcessCommand command = TestPrograms.Quick("stdin-length") with
        {
            StandardInput = InputSource.FromStream(source),
        };
        Exception? exception = StreamingSupport.Thrown(() => command.Run());
        exception.Should().BeSameAs(source.Error);
        ProcessResult result = ProcessResult.Of(exception!)!;
        result.EnsureSuccess();
        result.StandardOutput.Text.Trim().Should().Be($"{before}");
    });

    // Nobody has canceled it: the child reads on.
    [Fact]
    public void Source_ThatCancelsItself_IsToldByTheWait() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("stdin-length") with
        {
            StandardInput = InputSource.FromWriter((_, _) => throw new OperationCanceledException("by itself")),
        };
        Exception? exception = StreamingSupport.Thrown(() => command.Run());
        exception.Should().BeOfType<OperationCanceledException>().Which.Message.Should().Be("by itself");
        ProcessResult.Of(exception!)!.ExitCode.Should().Be(0);
    });

    [Fact]
    public void Sequence_OfAChildThatStopsToRead_IsDisposed() => Guard.Run(() =>
    {
        using ManualResetEventSlim isDisposed = new();
        ProcessCommand command = TestPrograms.Quick("answer", "") with
        {
            StandardInput = InputSource.FromBytes(Endless()),
        };
        command.Run().EnsureSuccess();
        isDisposed.Wait();

        async IAsyncEnumerable<ReadOnlyMemory<byte>> Endless()
        {
            try
            {
                yield return "\n"u8.ToArray();
                while (true)
                {
                    yield return new byte[10_000];
                    await Task.CompletedTask;
                }
            }
            finally
            {
                isDisposed.Set();
            }
        }
    });

    [NativeBackend(".NET binds pipes alone")]
    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void FromFile_IsTheDescriptorOfTheChildItself() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string path = directory.File("input", "text");
        ProcessCommand command =
            TestPrograms.Shell("readlink /proc/$$/fd/0; cat") with { StandardInput = InputSource.FromFile(path) };
        command.Run().StandardOutput.Text.Should().Be($"{path}\ntext");
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void FromFile_ThatIsMissing_FailsTheStartAndLeavesNothing() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        TestPrograms.Quick().Run();
        int handles = ProcFs.OpenDescriptors;
        ProcessCommand[] commands =
        [
            TestPrograms.Quick() with { StandardInput = InputSource.FromFile(directory.At("missing")) },
            TestPrograms.Quick() with { StandardError = OutputTarget.ToFile(directory.At("missing/file")) },
            new ProcessCommand("/does/not/exist") with { StandardOutput = OutputTarget.ToFile(directory.At("file")) },
        ];
        foreach (ProcessCommand command in commands)
        {
            ProcessStartException exception = (ProcessStartException)StreamingSupport.Thrown(() => command.Run())!;
            exception.Step.Should().Be(
                command == commands[2] ? ProcessStartStep.NotFound : ProcessStartStep.BadStreamFile);
        }

        Eventually.Is(() => ProcFs.OpenDescriptors <= handles, "no more descriptors are open than before");
        ProcFs.Children.Should().BeEmpty();
    });

    [NativeBackend(".NET binds pipes alone")]
    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Null_IsTheNullDevice() => Guard.Run(() =>
        TestPrograms.Shell("readlink /proc/$$/fd/0; cat").Run().StandardOutput.Text.Should().Be("/dev/null\n"));

    [Fact]
    public void StandardInput_OfACommandThatIsNotWrittenByHand_IsRefused() => Guard.Run(() =>
    {
        using ChildProcess child = TestPrograms.Quick().Start();
        Action input = () => _ = child.StandardInput;
        input.Should().Throw<InvalidOperationException>();
    });

    [Fact]
    public void Sources_MadeFromNothing_AreRefused()
    {
        ((Action)(() => InputSource.FromText(null!))).Should().Throw<ArgumentNullException>();
        ((Action)(() => InputSource.FromFile(""))).Should().Throw<ArgumentException>();
        ((Action)(() => InputSource.FromStream(null!))).Should().Throw<ArgumentNullException>();
        MemoryStream closed = new();
        closed.Dispose();
        ((Action)(() => InputSource.FromStream(closed))).Should().Throw<ArgumentException>();
    }

    private sealed class EndlessStream : MemoryStream
    {
        private long _count;

        public long Count => Interlocked.Read(ref _count);

        public override int Read(Span<byte> buffer)
        {
            Interlocked.Add(ref _count, buffer.Length);
            return buffer.Length;
        }
    }

    private sealed class ThrowingStream(int before) : MemoryStream
    {
        private int _rest = before;

        public Exception Error { get; } = new InvalidTimeZoneException("on purpose");

        public override int Read(Span<byte> buffer)
        {
            int count = Math.Min(_rest, buffer.Length);
            _rest -= count;
            return count > 0 ? count : throw Error;
        }
    }

    private sealed class BlockedStream : MemoryStream
    {
        public ManualResetEventSlim Release { get; } = new();

        public override int Read(Span<byte> buffer)
        {
            Release.Wait();
            return 0;
        }
    }
}
