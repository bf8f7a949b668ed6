using System;
using System.IO;
using System.Linq;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Races;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Streams;

/// <summary>Verifies stops of every kind at the very moment when bytes are under way, some thousand times.</summary>
[Collection(Alone.Name)]
[OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
public sealed class StreamRaceTests : IDisposable
{
    private const int Threads = 4;

    private readonly ProcessEngine _engine = new();
    private readonly int _handles;

    public StreamRaceTests()
    {
        TestPrograms.Quick().Run();
        TestPrograms.Quick().Run(_engine);
        _handles = ProcFs.OpenDescriptors;
    }

    public void Dispose()
    {
        Eventually.Is(() => ProcFs.OpenDescriptors <= _handles, "no more descriptors are open than before");
        ProcFs.Children.Should().BeEmpty();
        _engine.LiveChildren.Should().Be(0);
        _engine.Dispose();
        Eventually.Is(() => _engine.ThreadCount == 0, "the engine's threads end with it");
    }

    [Fact]
    public void Kill_RacingWithSlowCallbacks_EndsEveryRun() => Guard.Run(() => Plain.Threads(Threads, 800, repetition =>
    {
        ProcessCommand command = TestPrograms.Quick("echo", "1", "err", "2", "seq", "1", "1000") with
        {
            StandardOutput = OutputTarget.ToLines(_ => Plain.Dither(repetition % 30)),
            StandardError = OutputTarget.ToBytes(_ => Plain.Dither(repetition)),
        };
        using ChildProcess child = command.Start(_engine);
        Plain.Dither(repetition * 11);
        child.Kill();
        child.Wait().Outcome.Should().BeOneOf(ProcessOutcome.Canceled, ProcessOutcome.Exited);
    }));

    [Fact]
    public void Kill_RacingWithCallbacksThatRead_LosesNothingInBetween() => Guard.Run(() => Plain.Threads(
        Threads, 800, repetition =>
    {
        // The numbers have nine characters each, up to the end of the output.
        long taken = 0;
        bool isWrong = false;
        ProcessCommand command = TestPrograms.Quick(
            "spawn", "seq-err", "10000000", "99999999", "end", "seq", "10000000", "99999999") with
        {
            StandardOutput = OutputTarget.ToBytes(bytes =>
            {
                isWrong |= !IsPartOfNumbers(bytes, taken);
                taken += bytes.Length;
                if (repetition % 3 == 0)
                {
                    Plain.Dither(repetition);
                }
            }),
            StandardError = OutputTarget.ToBytes(bytes => throw new InvalidTimeZoneException("on purpose")),
        };
        using ChildProcess child = command.Start(_engine);
        while (repetition % 2 == 0 && Volatile.Read(ref taken) < repetition * 1000 && child.IsRunning)
        {
            Plain.Dither(repetition);
        }

        child.Kill();
        if (StreamingSupport.Thrown(() => child.Wait()) is { } thrown and not InvalidTimeZoneException)
        {
            throw new InvalidOperationException("The wait threw another exception than the callback.", thrown);
        }

        isWrong.Should().BeFalse();
    }));

    [Fact]
    public void End_RacingWithCallbacksThatRead_LosesNothing() => Guard.Run(() => Plain.Threads(
        Threads, 800, repetition =>
    {
        int count = repetition % 7 * 5000;
        long taken = 0;
        long errorTaken = 0;
        bool isWrong = false;
        ProcessCommand command = TestPrograms.Quick(
            "seq-err", "10000000", $"{9_999_999 + count}", "seq", "10000000", $"{9_999_999 + count}") with
        {
            StandardOutput = OutputTarget.ToBytes(bytes =>
            {
                isWrong |= !IsPartOfNumbers(bytes, taken);
                taken += bytes.Length;
            }),
            StandardError = OutputTarget.ToBytes(bytes =>
            {
                isWrong |= !IsPartOfNumbers(bytes, errorTaken);
                errorTaken += bytes.Length;
                Plain.Dither(repetition % 40);
            }),
        };
        ProcessResult result = command.Run(_engine).EnsureSuccess();
        isWrong.Should().BeFalse();
        taken.Should().Be(count * 9);
        errorTaken.Should().Be(count * 9);
        result.StandardOutput.TotalBytes.Should().Be(taken);
        result.StandardError.TotalBytes.Should().Be(errorTaken);
    }));

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Dispose_RacingWithTees_EndsEveryRun() => Guard.Run(() => Plain.Threads(Threads, 800, repetition =>
    {
        long taken = 0;
        ProcessCommand command = TestPrograms.Quick("seq", "1", repetition % 3 == 0 ? "200" : "30000") with
        {
            StandardOutput = OutputTarget.Tee(
                OutputTarget.Live(),
                OutputTarget.Capture(repetition % 3 * 400, CapturePolicy.SpillToFile),
                OutputTarget.ToBytes(bytes => taken += bytes.Length)),
        };
        ChildProcess child = command.Start(_engine);
        while (repetition % 4 != 0
            && child.Lines.WaitToReadAsync().AsTask().Wait(repetition % 3)
            && child.Lines.TryRead(out _))
        {
        }

        child.Dispose();
        child.IsRunning.Should().BeFalse();
        child.Wait().StandardOutput.OpenRead().Dispose();
    }));

    [Fact]
    public void Timeout_RacingWithLiveLines_EndsEveryRun() => Guard.Run(() => Plain.Threads(Threads, 400, repetition =>
    {
        ProcessCommand command = TestPrograms.Quick("seq", "1", "3000") with
        {
            StandardOutput = OutputTarget.Live(),
            StandardError = OutputTarget.MergeIntoOutput,
            Timeout = TimeSpan.FromMicroseconds(repetition * 37 % 10_000),
        };
        using ChildProcess child = command.Start(_engine);
        int next = 1;
        StreamingSupport.ReadAll(child, line =>
        {
            // The kill may have truncated the last line.
            if (line.Content == $"{next}")
            {
                next++;
            }
        });
        ProcessResult result = child.Wait();
        next.Should().BeInRange(1, 3001);
        result.Outcome.Should().BeOneOf(ProcessOutcome.Exited, ProcessOutcome.TimedOut);
    }));

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void Writers_RacingWithKillAndClose_AllEnd() => Guard.Run(() => Plain.Threads(Threads, 800, repetition =>
    {
        ProcessCommand command = TestPrograms.Quick("stdin") with { StandardInput = InputSource.Pipe };
        using ChildProcess child = command.Start(_engine);
        Thread[] writers = [.. Enumerable.Range(1, 2).Select(count => new Thread(() =>
        {
            try
            {
                for (int i = 0; i < 50; i++)
                {
                    child.StandardInput.Write(new byte[count * 3000]);
                }
            }
            catch (InvalidOperationException)
            {
                // The other thread has closed the stream.
            }
        }))];
        Array.ForEach(writers, writer => writer.Start());
        Plain.Dither(repetition * 5);
        if (repetition % 2 == 0)
        {
            child.Kill();
        }

        child.StandardInput.Dispose();
        Array.ForEach(writers, writer => writer.Join());
        child.Wait().Outcome.Should().BeOneOf(ProcessOutcome.Canceled, ProcessOutcome.Exited);
    }));

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void EndOfTheChild_RacingWithStreamSources_IsNeverAnError() => Guard.Run(() => Plain.Threads(
        Threads, 800, repetition =>
    {
        using MemoryStream source = new(new byte[repetition * 137 % 300_000]);
        using MemoryStream target = new();
        ProcessCommand command = new ProcessCommand("head", "-c", $"{repetition % 5 * 30_000}") with
        {
            StandardInput = InputSource.FromStream(source),
            StandardOutput = OutputTarget.ToStream(target),
        };
        command.Run(_engine).EnsureSuccess();
        target.Length.Should().Be(Math.Min(source.Length, repetition % 5 * 30_000));
    }));

    [Fact]
    public void ExceptionsOfCallbacks_RacingWithTheEnd_AreAlwaysToldOrTheResultIsWhole() => Guard.Run(() =>
        Plain.Threads(Threads, 800, repetition =>
        {
            InvalidTimeZoneException thrown = new("on purpose");
            int lines = 0;
            ProcessCommand command = TestPrograms.Quick("echo", "1", "echo", "2", "echo", "3") with
            {
                StandardOutput = OutputTarget.ToLines(_ =>
                {
                    if (++lines == repetition % 5)
                    {
                        throw thrown;
                    }
                }),
            };
            Exception? exception = StreamingSupport.Thrown(() => command.Run(_engine));
            bool isToThrow = repetition % 5 is 1 or 2 or 3;
            if (!ReferenceEquals(exception, isToThrow ? thrown : null) || lines != (isToThrow ? repetition % 5 : 3))
            {
                throw new InvalidOperationException($"{repetition}: {lines} {exception}");
            }
        }));

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void DisposeOfTheEngine_RacingWithEverything_Ends() => Guard.Run(() =>
    {
        for (int round = 0; round < 60; round++)
        {
            using ProcessEngine engine = new();
            ProcessCommand command = TestPrograms.Quick("seq", "1", "100000") with
            {
                StandardInput = InputSource.FromBytes(new byte[100_000]),
                StandardOutput = OutputTarget.Tee(OutputTarget.ToLines(_ => { }), OutputTarget.Capture()),
                StandardError = OutputTarget.Live(),
            };
            ChildProcess[] children = [.. Enumerable.Range(0, 6).Select(_ => command.Start(engine))];
            Plain.Dither(round * 300);
            engine.Dispose();
            children.Should().OnlyContain(child => !child.IsRunning);
        }
    });

    // The bytes are part of the lines 10000000, 10000001 and so on, from a position on.
    private static bool IsPartOfNumbers(ReadOnlySpan<byte> bytes, long position)
    {
        Span<byte> line = stackalloc byte[9];
        line[8] = (byte)'\n';
        while (!bytes.IsEmpty)
        {
            (10_000_000 + (position / 9)).TryFormat(line, out _);
            int count = Math.Min(bytes.Length, 9 - (int)(position % 9));
            if (!bytes[..count].SequenceEqual(line.Slice((int)(position % 9), count)))
            {
                return false;
            }

            bytes = bytes[count..];
            position += count;
        }

        return true;
    }
}
