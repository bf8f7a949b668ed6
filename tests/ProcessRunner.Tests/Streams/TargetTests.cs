using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using FluentAssertions;
using ProcessRunner.TestChild;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams;

public sealed class TargetTests
{
    // ENOENT and EISDIR, ERROR_PATH_NOT_FOUND and ERROR_ACCESS_DENIED.
    private static readonly int s_noSuchFile = OperatingSystem.IsWindows() ? 3 : 2;
    private static readonly int s_isADirectory = OperatingSystem.IsWindows() ? 5 : 21;

    public static TheoryData<int> Sizes => [0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537, 1_000_000];

    [NativeBackend(".NET binds pipes alone")]
    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Null_LetsTheChildWriteAndKeepsNothing() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Shell(
            "link=$(readlink /proc/$$/fd/1); echo $link >&2; seq 1 1000000") with
        {
            StandardOutput = OutputTarget.Null,
        };
        ProcessResult result = command.Run().EnsureSuccess();
        result.StandardOutput.TotalBytes.Should().Be(0);
        result.StandardOutput.Text.Should().BeEmpty();
        result.StandardError.Text.Should().Be("/dev/null\n");
    });

    [Fact]
    public void Null_OfBothStreams_EndsAsUsual() => Guard.Run(() =>
    {
        ProcessCommand command = TestPrograms.Quick("echo", "out", "err", "err", "return", "3") with
        {
            StandardOutput = OutputTarget.Null,
            StandardError = OutputTarget.Null,
        };
        command.Run().ExitCode.Should().Be(3);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "a scenario of the test host")]
    public void Inherit_OfAllStreams_UsesThoseOfThisProcess() => Guard.Run(() => HostProcess.PlayWith(
        "printf 'in one\\nin two\\n' | \"$@\" >\"$2.out\" 2>\"$2.err\" "
        + "&& grep -qx 'got in one' \"$2.out\" && grep -qx 'err in one' \"$2.err\"",
        "inherited-streams"));

    [Fact]
    [OnlyOn(Systems.Linux, "a scenario of the test host")]
    public void Inherit_OfAllStreamsBesideACrowdOfDescriptors_UsesThoseOfThisProcess() =>
        Guard.Run(() => HostProcess.PlayWith(
        "printf 'in one\\nin two\\n' | CROWD_OF_DESCRIPTORS=1 \"$@\" >\"$2.out\" 2>\"$2.err\" "
        + "&& grep -qx 'got in one' \"$2.out\" && grep -qx 'err in one' \"$2.err\"",
        "inherited-streams"));

    [Theory]
    [InlineData("<&-")]
    [InlineData("<&- >&- 2>&-")]
    [OnlyOn(Systems.Linux, "a scenario of the test host")]
    public void Inherit_OfAStreamThatThisProcessHasClosed_IsTheNullDevice(string redirection) => Guard.Run(() =>
        HostProcess.PlayWith($"exec \"$@\" {redirection}", "inherited-streams"));

    [Theory]
    [MemberData(nameof(Sizes))]
    public void ToFile_OfAnySize_HoldsExactlyWhatTheChildWrote(int size) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string path = directory.File("out", new string('x', 100));
        ProcessCommand command =
            NumberedLines.Command(1, size) with { StandardOutput = OutputTarget.ToFile(path) };
        ProcessResult result = command.Run().EnsureSuccess();
        ShouldBe(File.ReadAllBytes(path), NumberedLines.Bytes(1, size));
        result.StandardOutput.Text.Should().BeEmpty();
    });

    [NativeBackend(".NET binds pipes alone")]
    [Fact]
    public void ToFile_Appending_KeepsWhatIsThere() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string path = directory.At("new");
        ProcessCommand command = TestPrograms.Quick("echo", "out", "err", "err") with
        {
            StandardOutput = OutputTarget.ToFile(path, append: true),
            StandardError = OutputTarget.ToFile(path, append: true),
        };
        command.Run();
        command.Run();
        File.ReadAllText(path).Should().Be("out\nerr\nout\nerr\n");
    });

    [NativeBackend(".NET binds pipes alone")]
    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void ToFile_IsTheDescriptorOfTheChildItself() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string path = directory.At("new");
        ProcessCommand command = TestPrograms.Shell("link=$(readlink /proc/$$/fd/1); echo $link >&2") with
        {
            StandardOutput = OutputTarget.ToFile(path),
        };
        command.Run().StandardError.Text.Should().Be(path + "\n");
    });

    [NativeBackend(".NET gives each stream a pipe of its own")]
    [Fact]
    public void ToFile_WithMergedError_KeepsTheOrder() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string path = directory.At("new");
        ProcessCommand command = TestPrograms.Child("alternate", "1000") with
        {
            StandardOutput = OutputTarget.ToFile(path),
            StandardError = OutputTarget.MergeIntoOutput,
        };
        command.Run().EnsureSuccess();
        File.ReadAllLines(path).Should().Equal(Alternating(1000));
    });

    [NativeBackend(".NET binds pipes alone")]
    [Theory]
    [InlineData("missing/file", false)]
    [InlineData(".", true)]
    public void ToFile_ThatCannotBeOpened_FailsTheStart(string name, bool isDirectory) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        OutputTarget target = OutputTarget.ToFile(directory.At(name));
        foreach (ProcessCommand command in (ProcessCommand[])
            [
                TestPrograms.Quick() with { StandardOutput = target },
                TestPrograms.Quick() with { StandardError = target },
                TestPrograms.Quick() with { StandardInput = InputSource.Pipe, StandardError = target },
            ])
        {
            ProcessStartException exception = (ProcessStartException)StreamingSupport.Thrown(() => command.Start())!;
            exception.Step.Should().Be(ProcessStartStep.BadStreamFile);
            exception.NativeErrorCode.Should().Be(isDirectory ? s_isADirectory : s_noSuchFile);
            exception.Message.Should().Contain(directory.Path);
        }
    });

    [Theory]
    [MemberData(nameof(Sizes))]
    public void ToStream_OfAnySize_GetsExactlyTheBytesAndStaysOpen(int size) => Guard.Run(() =>
    {
        using WitnessStream output = new();
        using WitnessStream error = new();
        ProcessCommand command = TestPrograms.Child("fill", $"{size}", "fill-err", $"{size}") with
        {
            StandardOutput = OutputTarget.ToStream(output),
            StandardError = OutputTarget.ToStream(error),
        };
        ProcessResult result = command.Run().EnsureSuccess();
        foreach (WitnessStream stream in (WitnessStream[])[output, error])
        {
            ShouldBe(stream.ToArray(), FillText.Bytes(size));
            stream.Flushes.Should().BeGreaterThan(0);
            stream.LengthAtLastFlush.Should().Be(size);
            stream.IsClosed.Should().BeFalse();
        }

        result.StandardOutput.TotalBytes.Should().Be(size);
        result.StandardOutput.Bytes.IsEmpty.Should().BeTrue();
    });

    [Fact]
    public void ToStream_ThatThrowsWhenItIsFlushed_IsToldByTheWait() => Guard.Run(() =>
    {
        using WitnessStream stream = new() { FlushError = new InvalidTimeZoneException("flush") };
        ProcessCommand command = TestPrograms.Quick("echo", "1") with
        {
            StandardOutput = OutputTarget.ToStream(stream),
        };
        StreamingSupport.Thrown(() => command.Run()).Should().BeSameAs(stream.FlushError);
    });

    // The stream is still flushed, for the bytes that it has accepted.
    [Fact]
    public void ToStream_ThatThrowsTwice_IsToldByItsFirstException() => Guard.Run(() =>
    {
        using WitnessStream stream = new(mayWrite: false) { FlushError = new InvalidTimeZoneException("flush") };
        ProcessCommand command = TestPrograms.Quick("echo", "1") with
        {
            StandardOutput = OutputTarget.ToStream(stream),
        };
        StreamingSupport.Thrown(() => command.Run()).Should().BeOfType<NotSupportedException>();
        stream.Flushes.Should().Be(1);
    });

    [Theory]
    [MemberData(nameof(Sizes))]
    public void ToBytes_OfAnySize_GetsExactlyTheBytes(int size) => Guard.Run(() =>
    {
        using MemoryStream bytes = new();
        bool wasEmpty = false;
        ProcessCommand command = NumberedLines.Command(1, size) with
        {
            StandardOutput = OutputTarget.ToBytes(chunk =>
            {
                wasEmpty |= chunk.IsEmpty;
                bytes.Write(chunk);
            }),
        };
        command.Run().EnsureSuccess();
        ShouldBe(bytes.ToArray(), NumberedLines.Bytes(1, size));
        wasEmpty.Should().BeFalse();
    });

    [Fact]
    public void ToLines_OfManyLines_GetsThemAllInOrderOneAtATime() => Guard.Run(() =>
    {
        const int Count = 300_000;
        int next = 1;
        int errorNext = 1;
        int inside = 0;
        bool isBroken = false;
        ProcessCommand command = TestPrograms.Quick(
            "spawn", "seq", "1", $"{Count}", "end", "seq-err", "1", $"{Count}", "wait") with
        {
            StandardOutput = OutputTarget.ToLines(line =>
            {
                isBroken |= Interlocked.Increment(ref inside) != 1 || line.Content != $"{next++}" || line.IsError;
                Interlocked.Decrement(ref inside);
            }),
            StandardError = OutputTarget.ToLines(line => isBroken |= line.Content != $"{errorNext++}" || !line.IsError),
        };
        command.Run().EnsureSuccess();
        isBroken.Should().BeFalse();
        next.Should().Be(Count + 1);
        errorNext.Should().Be(Count + 1);
    });

    [Fact]
    public void ToLines_WithOptions_SplitsByThem() => Guard.Run(() =>
    {
        List<string> lines = [];
        ProcessCommand command = TestPrograms.Quick("print", "a\rbcdefg\nx") with
        {
            StandardOutput = OutputTarget.ToLines(
                line => lines.Add($"{line.Content}{(line.IsPartial ? "+" : "")}"),
                new LineOptions { MaxLength = 4, SplitAtCarriageReturn = true }),
        };
        command.Run().EnsureSuccess();
        lines.Should().Equal("a", "bcde+", "fg", "x");
    });

    [Fact]
    public void OneTarget_UsedByManyRunsAtOnce_ServesThemAll() => Guard.Run(() =>
    {
        int count = 0;
        ProcessCommand command = TestPrograms.Quick("seq", "1", "100") with
        {
            StandardOutput = OutputTarget.ToLines(_ => Interlocked.Increment(ref count)),
        };
        ChildProcess[] children = [.. Enumerable.Range(0, 50).Select(_ => command.Start())];
        Array.ForEach(children, child => child.Wait().EnsureSuccess());
        count.Should().Be(5000);
    });

    [NativeBackend(".NET gives each stream a pipe of its own")]
    [Fact]
    public void MergeIntoOutput_OfAMillionAlternatingWrites_KeepsTheExactOrder() => Guard.Run(() =>
    {
        const int Pairs = 500_000;
        int next = 0;
        ProcessCommand command = TestPrograms.Child("alternate", $"{Pairs}") with
        {
            StandardOutput = OutputTarget.ToLines(line =>
                next += line.Content == $"{(next % 2 == 0 ? 'o' : 'e')}{next / 2}" ? 1 : -10 * Pairs),
            StandardError = OutputTarget.MergeIntoOutput,
        };
        ProcessResult result = command.Run().EnsureSuccess();
        next.Should().Be(2 * Pairs);
        result.StandardError.TotalBytes.Should().Be(0);
    });

    [NativeBackend(".NET gives each stream a pipe of its own")]
    [Fact]
    public void MergeIntoOutput_IntoACapture_KeepsTheExactOrder() => Guard.Run(() =>
    {
        ProcessCommand command =
            TestPrograms.Child("alternate", "50000") with { StandardError = OutputTarget.MergeIntoOutput };
        StreamingSupport.AreSame(command.Run().EnsureSuccess().StandardOutput.Lines(), Alternating(50_000))
            .Should().BeTrue();
    });

    [Fact]
    public void MergeIntoOutput_OfStandardOutput_IsRefused()
    {
        Action command = () => _ = TestPrograms.Quick() with { StandardOutput = OutputTarget.MergeIntoOutput };
        command.Should().Throw<ArgumentException>();
    }

    [Fact]
    public void Targets_MadeFromNothing_AreRefused()
    {
        ((Action)(() => OutputTarget.ToFile(""))).Should().Throw<ArgumentException>();
        ((Action)(() => OutputTarget.ToStream(null!))).Should().Throw<ArgumentNullException>();
        ((Action)(() => OutputTarget.ToStream(new MemoryStream([], writable: false))))
            .Should().Throw<ArgumentException>();
        ((Action)(() => OutputTarget.ToBytes(null!))).Should().Throw<ArgumentNullException>();
        ((Action)(() => OutputTarget.ToLines((Action<OutputLine>)null!))).Should().Throw<ArgumentNullException>();
    }

    [Theory]
    [InlineData("utf-8")]
    [InlineData("utf-16")]
    [InlineData("utf-16BE")]
    [InlineData("utf-32")]
    [InlineData("iso-8859-1")]
    public void ToLines_InAnyEncoding_DropsTheByteOrderMarkAndReplacesWhatIsInvalid(string name) => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        Encoding encoding = Encoding.GetEncoding(name);
        string text = "ä1\nö2\r\n\nend";
        string path = directory.At("text");
        File.WriteAllBytes(path, [.. encoding.GetPreamble(), .. encoding.GetBytes(text)]);
        List<string> lines = [];
        ProcessCommand command = TestPrograms.Quick("cat", path) with
        {
            Encoding = encoding,
            StandardOutput = OutputTarget.ToLines(line => lines.Add(line.Content)),
        };
        command.Run().EnsureSuccess();
        lines.Should().Equal("ä1", "ö2", "", "end");
    });

    [Fact]
    public void ToLines_OfInvalidBytes_ReplacesThemInTextAlone() => Guard.Run(() =>
    {
        List<string> lines = [];
        ProcessCommand command = TestPrograms.Quick("print-hex", "61FF620AC3") with
        {
            StandardOutput =
                OutputTarget.Tee(OutputTarget.ToLines(line => lines.Add(line.Content)), OutputTarget.Capture()),
        };
        ProcessResult result = command.Run().EnsureSuccess();
        lines.Should().Equal("a\uFFFDb", "\uFFFD");
        result.StandardOutput.Bytes.ToArray().Should().Equal((byte)'a', 0xFF, (byte)'b', (byte)'\n', 0xC3);
    });

    private static IEnumerable<string> Alternating(int pairs) =>
        Enumerable.Range(0, pairs).SelectMany(number => (string[])[$"o{number}", $"e{number}"]);

    private static void ShouldBe(byte[] actual, byte[] expected)
    {
        actual.Length.Should().Be(expected.Length);
        actual.AsSpan().SequenceEqual(expected).Should().BeTrue();
    }

    private sealed class WitnessStream(bool mayWrite = true) : MemoryStream
    {
        public int Flushes { get; private set; }

        public long LengthAtLastFlush { get; private set; } = -1;

        public bool IsClosed { get; private set; }

        public Exception? FlushError { get; init; }

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            if (!mayWrite)
            {
                throw new NotSupportedException("write");
            }

            base.Write(buffer);
        }

        public override void Flush()
        {
            Flushes++;
            LengthAtLastFlush = Length;
            if (FlushError is not null)
            {
                throw FlushError;
            }
        }

        protected override void Dispose(bool disposing)
        {
            IsClosed = true;
            base.Dispose(disposing);
        }
    }
}
