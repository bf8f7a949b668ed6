using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Faults;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Execution;

/// <summary>
/// Verifies that a start comes to an end while the system has no thread left and user code has all threads of the
/// engine: that code may wait for the start.
/// </summary>
[Collection(Alone.Name)]
public sealed class StartWithoutThreadsTests
{
    private const int Unavailable = 11;

    // Natively such a start needs no thread.
    [Fact]
    public void Run_ByThePortableBackend_Fails() => Guard.Run(() => ExpectFailure(
        new ProcessEngineOptions { Backend = EngineBackend.Portable },
        engine => TestPrograms.Quick("return", "0").Run(engine)));

    // To open the file can block, so no reactor does it.
    [Fact]
    public void RunAsync_ThatOpensAFile_Fails() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand command =
            TestPrograms.Quick("echo", "1") with { StandardOutput = OutputTarget.ToFile(directory.At("output")) };
        ExpectFailure(new ProcessEngineOptions(), engine => command.RunAsync(engine).GetAwaiter().GetResult());
    });

    // The only thread is in the input, which ends when its token is canceled. That takes another thread.
    [Fact]
    public void Batch_OfAnEngineThatIsDisposed_EndsOnceThereIsAThread() => Guard.Run(() =>
    {
        const int Refusals = 50;
        ProcessEngine engine = new();
        using ManualResetEventSlim isBlocked = new();
        int refused = 0;
        Exception? failure = null;
        Thread reader = Plainly(() => failure = Record.Exception(() =>
            ProcessBatch.EnumerateAsync(Blocking(isBlocked), new BatchOptions { Engine = engine })
                .ToBlockingEnumerable().Count()));
        isBlocked.Wait();
        FaultPoint.Decide = call => call == "thread" && Interlocked.Increment(ref refused) > 0 ? Unavailable : 0;
        try
        {
            Thread disposer = Plainly(engine.Dispose);
            Eventually.Is(() => Volatile.Read(ref refused) > Refusals || !disposer.IsAlive, "it lacks a thread");
            FaultPoint.Decide = null;
            disposer.Join();
            reader.Join();
        }
        finally
        {
            FaultPoint.Decide = null;
        }

        failure.Should().BeOfType<ObjectDisposedException>();
    });

    private static Thread Plainly(Action action)
    {
        Thread thread = new(() => action());
        thread.Start();
        return thread;
    }

    private static async IAsyncEnumerable<ProcessCommand> Blocking(
        ManualResetEventSlim isBlocked, [EnumeratorCancellation] CancellationToken token = default)
    {
        yield return TestPrograms.Quick();
        isBlocked.Set();
        token.WaitHandle.WaitOne();
        token.ThrowIfCancellationRequested();
        await Task.CompletedTask;
    }

    private static void ExpectFailure(ProcessEngineOptions options, Action<ProcessEngine> run)
    {
        using ProcessEngine engine = new(options);
        using SemaphoreSlim isBlocked = new(0);
        using ManualResetEventSlim mayGoOn = new();
        ProcessCommand blocking = TestPrograms.Quick("echo", "1", "sleep", "1000000") with
        {
            StandardOutput = OutputTarget.ToLines(_ =>
            {
                isBlocked.Release();
                mayGoOn.Wait();
            }),
        };

        // The first thread can have been busy when there was a job, and then there is another.
        IDeliveryThreads threads = engine.Parts(first: null).Streams.Threads;
        int blockers = 0;
        do
        {
            blocking.Start(engine);
            blockers++;
            isBlocked.Wait();
        }
        while (threads.Count > blockers);

        FaultPoint.Decide = call => call == "thread" ? Unavailable : 0;
        try
        {
            FluentActions.Invoking(() => run(engine)).Should().Throw<ProcessStartException>()
                .Which.Step.Should().Be(ProcessStartStep.OutOfResources);
            engine.LiveChildren.Should().Be(blockers, "only the children with the callback are left");
        }
        finally
        {
            FaultPoint.Decide = null;
            mayGoOn.Set();
        }

        run(engine);
    }
}
