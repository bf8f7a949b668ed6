using System;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Engines;

/// <summary>Verifies engines that are never disposed, and children that outlive the disposal of their engine.</summary>
[Collection(Alone.Name)]
public sealed class ForgottenEngineTests
{
    private static readonly ProcessCommand s_sleeper = TestPrograms.Quick("sleep", "1000000");

    // The kernel keeps 15 characters of a thread's name.
    private static int ReactorThreads =>
        ProcFs.ThreadNames.Count(name => name.StartsWith("ProcessRunner I", StringComparison.Ordinal));

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void EngineThatIsForgotten_EndsItsThreads(bool forwardsInterrupt, bool runsABatch) => Guard.Run(() =>
    {
        TestPrograms.Quick().Run();
        int threads = ReactorThreads;
        WeakReference parts = Forget(
            new ProcessEngineOptions { ReactorCount = 3, ForwardInterrupt = forwardsInterrupt }, runsABatch);
        Eventually.Is(() => Collected() && ReactorThreads <= threads, "the threads are gone");
        Eventually.Is(() => Collected() && !parts.IsAlive, "nothing refers to the parts, no signal handler either");
        ProcFs.Children.Should().BeEmpty();
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void ChildOfAForgottenEngine_IsServedToItsEnd() => Guard.Run(() =>
    {
        TestPrograms.Quick().Run();
        int threads = ReactorThreads;
        ChildProcess child = StartOnForgotten();
        for (int i = 0; i < 5; i++)
        {
            Collected().Should().BeTrue();
        }

        child.IsRunning.Should().BeTrue();
        child.StandardInput.Write("text\n"u8);
        child.StandardInput.Dispose();
        child.Wait().StandardOutput.Text.Should().Be("text\n");
        Eventually.Is(() => Collected() && ReactorThreads <= threads, "the threads are gone");
    });

    // Only the call itself references the engine, and the collector runs all the time.
    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void RunOnAnEngineThatNobodyKeeps_ComesToItsEnd() => Guard.Run(() =>
    {
        TestPrograms.Quick().Run();
        int devices = ProcFs.NullDevices;
        using CancellationTokenSource isOver = new();
        Thread collector = new(() =>
        {
            while (!isOver.IsCancellationRequested)
            {
                Collected().Should().BeTrue();
            }
        });
        collector.Start();
        try
        {
            RunOnManyEngines();
        }
        finally
        {
            isOver.Cancel();
            collector.Join();
        }

        // Otherwise, the last engines would close their descriptors in the middle of another test, which counts them.
        Eventually.Is(() => Collected() && ProcFs.NullDevices <= devices, "the engines hold nothing anymore");
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    public void DetachedChild_OutlivesTheDisposalOfItsEngine_AndIsReaped(bool isAsync) => Guard.Run(() =>
    {
        TestPrograms.Quick().Run();
        int threads = ReactorThreads;
        ProcessEngine engine = new(new ProcessEngineOptions { ReactorCount = 2 });
        ChildProcess detached = (TestPrograms.Quick("stdin") with { StandardInput = InputSource.Pipe }).Start(engine);
        ChildProcess other = s_sleeper.Start(engine);
        detached.Detach();
        if (isAsync)
        {
            engine.DisposeAsync().AsTask().Wait();
        }
        else
        {
            engine.Dispose();
        }

        engine.Dispose();
        (detached.IsRunning, other.IsRunning).Should().Be((true, false));
        FluentActions.Invoking(() => s_sleeper.Start(engine)).Should().ThrowExactly<ObjectDisposedException>();
        detached.StandardInput.Write("text"u8);
        detached.StandardInput.Dispose();
        ProcessResult result = detached.Wait();
        (result.ExitCode, result.StoppedBy, result.StandardOutput.Text).Should().Be((0, StopCause.None, "text"));
        ProcFs.Children.Should().BeEmpty();
        Eventually.Is(() => ReactorThreads <= threads, "the threads are gone");
    });

    // A separate method, so that no register of the test keeps the engine alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Forget(ProcessEngineOptions options, bool runsABatch)
    {
        ProcessEngine engine = new(options);
        if (runsABatch)
        {
            ProcessBatch.Enumerate(Enumerable.Repeat(TestPrograms.Quick(), 5), new BatchOptions { Engine = engine })
                .Should().HaveCount(5);
        }
        else
        {
            TestPrograms.Quick().Run(engine).ExitCode.Should().Be(0);
        }

        return new WeakReference(Internals.PartsOf(engine));
    }

    // A separate method, so that no register of the test keeps the last engines alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RunOnManyEngines()
    {
        ProcessCommand echo = TestPrograms.Quick("echo", "text");
        ProcessCommand cat = TestPrograms.Quick("stdin");
        for (int i = 0; i < 20; i++)
        {
            echo.Run(New()).StandardOutput.Text.Should().Be("text\n");
            echo.RunAsync(New()).GetAwaiter().GetResult().StandardOutput.Text.Should().Be("text\n");
            echo.PipeTo(cat).PipeTo(cat).RunAsync(New()).GetAwaiter().GetResult().StandardOutput.Text
                .Should().Be("text\n");
            ProcessBatch.Enumerate(Enumerable.Repeat(echo, 5), new BatchOptions { Engine = New() }).ToList()
                .Should().HaveCount(5).And.OnlyContain(result => result.IsSuccess);
            using ProcessExecutor executor = new("echo", echo, New());
            executor.Run();
            executor.Wait().StandardOutput.Text.Should().Be("text\n");
        }

        static ProcessEngine New() => new(new ProcessEngineOptions { ReactorCount = 1 });
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ChildProcess StartOnForgotten() =>
        (TestPrograms.Quick("stdin") with { StandardInput = InputSource.Pipe }).Start(new ProcessEngine());

    private static bool Collected()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        return true;
    }
}
