using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Execution;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Races;

/// <summary>Verifies every event that can coincide with the end of a child, some thousand times each.</summary>
[Collection(Alone.Name)]
public sealed class ExitTests : IDisposable
{
    private const int Threads = 4;

    // A child that Windows kills, or that obeys a CTRL_BREAK without a handler.
    private const int Killed = -1;
    private const int Interrupted = unchecked((int)0xC000013A);

    private static readonly int s_repetitions = Crowd.Of(2000);
    private static readonly ProcessCommand s_five = TestPrograms.Quick("return", "5");
    private static readonly ProcessCommand s_talkingFive =
        TestPrograms.Quick("echo", "out", "err", "err", "return", "5");

    private readonly IReadOnlyList<string> _descriptors;

    public ExitTests()
    {
        s_five.Run();
        _descriptors = Descriptors;
    }

    private static IReadOnlyList<string> Descriptors => OperatingSystem.IsLinux() ? ProcFs.DescriptorTargets : [];

    public void Dispose()
    {
        // The runtime opens a pipe of its own for a moment, at any time.
        Eventually.Is(
            () => Descriptors.Count <= _descriptors.Count,
            $"no more descriptors are open than before: {string.Join(", ", _descriptors)}");
        if (OperatingSystem.IsLinux())
        {
            ProcFs.Children.Should().BeEmpty();
        }

        ProcessEngine.Shared.LiveChildren.Should().Be(0);
    }

    [Fact]
    public void FastExits_BeforeTheyAreRegistered_AllGiveTheirExactCode() => Guard.Run(() =>
    {
        ProcessCommand[] commands =
            [.. Enumerable.Range(0, 256).Select(code => TestPrograms.Quick("echo", $"{code}", "return", $"{code}"))];
        Plain.Threads(8, Crowd.Of(5_000), repetition =>
        {
            int code = repetition % commands.Length;
            ProcessResult result = commands[code].Run();
            if (result.ExitCode != code
                || result.StandardOutput.Text != $"{code}\n"
                || result.StandardError.TotalBytes != 0)
            {
                throw new InvalidOperationException($"{result}: '{result.StandardOutput}' '{result.StandardError}'");
            }
        });
    });

    [Fact]
    [OnlyOn(Systems.Unix, "signals")]
    public void Kill_RacingWithExit_GivesOneOutcomeAndExactStatus() => Guard.Run(() =>
        Plain.Threads(Threads, s_repetitions, repetition =>
        {
            using ChildProcess child = s_five.Start();
            Plain.Dither(repetition);
            child.Kill();
            child.Signal((System.Runtime.InteropServices.PosixSignal)9);
            ShouldBeExact(child.Wait(), ProcessOutcome.Signaled);
        }));

    [Fact]
    public void Cancel_RacingWithExit_GivesTheResultOrThrowsWithIt() => Guard.Run(() =>
        Plain.Threads(Threads, s_repetitions, repetition =>
        {
            using CancellationTokenSource source = new();
            Task<ProcessResult> run = s_five.RunAsync(source.Token);
            Plain.Dither(repetition);
            source.Cancel();
            try
            {
                ProcessResult result = run.GetAwaiter().GetResult();
                result.Outcome.Should().Be(ProcessOutcome.Exited);
                ShouldBeExact(result);
            }
            catch (OperationCanceledException exception)
            {
                exception.CancellationToken.Should().Be(source.Token);
                ProcessResult.Of(exception)!.Outcome.Should().Be(ProcessOutcome.Canceled);
                ShouldBeExact(ProcessResult.Of(exception)!);
            }
        }));

    [Fact]
    public void Dispose_RacingWithExit_EndsEveryChild() => Guard.Run(() =>
        Plain.Threads(Threads, s_repetitions, repetition =>
        {
            ChildProcess child = s_five.Start();
            Plain.Dither(repetition);
            child.Dispose();
            child.IsRunning.Should().BeFalse();
            ShouldBeExact(child.Wait());
        }));

    [Fact]
    public void LimitOfAWait_RacingWithExit_GivesOneOutcomeAndExactStatus() => Guard.Run(() =>
        Plain.Threads(Threads, s_repetitions, repetition =>
        {
            using ProcessExecutor executor = new("exit", s_five);
            executor.Run();
            bool inTime = executor.Wait(TimeSpan.FromMicroseconds(repetition % 3000));
            ProcessResult result = executor.Result;
            ShouldBeExact(result, ProcessOutcome.TimedOut);
            if (inTime)
            {
                result.Outcome.Should().Be(ProcessOutcome.Exited);
            }
        }));

    [Fact]
    public void WaitsOfAllKinds_RacingWithExit_GetTheSameWholeResult() => Guard.Run(() =>
        Plain.Threads(Threads, s_repetitions, repetition =>
        {
            using ChildProcess child = s_talkingFive.Start();
            Task<ProcessResult> task = child.WaitAsync();
            ProcessResult? other = null;
            Thread second = new(() => other = child.Wait());
            second.Start();
            Plain.Dither(repetition);
            child.TryWait(TimeSpan.FromMicroseconds(repetition % 500), out _);
            ProcessResult result = child.Wait();
            second.Join();
            bool isWhole = result is { ExitCode: 5, StandardOutput.Text: "out\n", StandardError.Text: "err\n" };
            if (!isWhole || !ReferenceEquals(result, other) || !ReferenceEquals(result, task.GetAwaiter().GetResult()))
            {
                throw new InvalidOperationException($"{result}: '{result.StandardOutput}' '{result.StandardError}'");
            }
        }));

    [NativeBackend("PortableInterruptTests has its place: a start by .NET takes too long for so many interrupts")]
    [Fact]
    public void Interrupts_AtAnyTime_LeaveNoChildBehindAndLoseNoOutput() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 1 });
        ProcessCommand command =
            s_talkingFive with { IdleTimeout = TimeSpan.FromHours(1) };
        ChildLife first = engine.Start(new StartOrder(command));
        first.Wait();
        Thread?[] victims = new Thread?[8];
        bool isOver = false;
        Thread interrupter = new(() =>
        {
            for (int i = 0; !Volatile.Read(ref isOver); i++)
            {
                Plain.Dither(i);
                Volatile.Read(ref victims[i % victims.Length])?.Interrupt();
            }
        });
        Thread[] crowd = [interrupter, .. Enumerable.Range(0, 4).Select(_ => new Thread(() =>
        {
            // This thread takes a lock of every start and end, so that the others find it taken.
            while (!Volatile.Read(ref isOver))
            {
                first.Engine.Lives.ToArray();
            }
        }))];
        Array.ForEach(crowd, thread => thread.Start());
        try
        {
            Plain.Threads(victims.Length, 2 * s_repetitions, repetition =>
            {
                Volatile.Write(ref victims[repetition % victims.Length], Thread.CurrentThread);
                ChildLife child = Uninterrupted(() => engine.Start(new StartOrder(command)));
                if (Uninterrupted(child.Wait) is not
                    { ExitCode: 5, StandardOutput.Text: "out\n", StandardError.Text: "err\n" })
                {
                    throw new InvalidOperationException(
                        $"{child.Completion.Result}: '{child.Completion.Result!.StandardOutput}'");
                }
            });
        }
        finally
        {
            Volatile.Write(ref isOver, true);
            Array.ForEach(crowd, thread => thread.Join());
        }

        engine.LiveChildren.Should().Be(0);
    });

    private static T Uninterrupted<T>(Func<T> action)
    {
        while (true)
        {
            try
            {
                return action();
            }
            catch (ThreadInterruptedException)
            {
                // The action is retried, because it must succeed in spite of the interrupts.
            }
        }
    }

    private static void ShouldBeExact(ProcessResult result, ProcessOutcome alternative = ProcessOutcome.Canceled)
    {
        bool isExact = result.Outcome == ProcessOutcome.Exited
            ? result is { ExitCode: 5, SignalNumber: null }
            : (result.Outcome == alternative || result.Outcome == ProcessOutcome.Canceled)
                && result is { ExitCode: 5, SignalNumber: null } or { ExitCode: null, SignalNumber: 9 or 15 };
        isExact |= OperatingSystem.IsWindows() && result.ExitCode is 5 or Killed or Interrupted;
        if (!isExact)
        {
            throw new InvalidOperationException(result.ToString());
        }
    }
}
