using System;
using System.Threading;
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
