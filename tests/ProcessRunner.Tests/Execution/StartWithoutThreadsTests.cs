using System;
using System.Threading;
using FluentAssertions;
using ProcessRunner.Faults;
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
        using ManualResetEventSlim isBlocked = new();
        using ManualResetEventSlim mayGoOn = new();
        ProcessCommand blocking = TestPrograms.Quick("echo", "1", "sleep", "1000000") with
        {
            StandardOutput = OutputTarget.ToLines(_ =>
            {
                isBlocked.Set();
                mayGoOn.Wait();
            }),
        };
        using ChildProcess blocker = blocking.Start(engine);
        isBlocked.Wait();
        FaultPoint.Decide = call => call == "thread" ? Unavailable : 0;
        try
        {
            FluentActions.Invoking(() => run(engine)).Should().Throw<ProcessStartException>()
                .Which.Step.Should().Be(ProcessStartStep.OutOfResources);
            engine.LiveChildren.Should().Be(1, "only the child with the callback is left");
        }
        finally
        {
            FaultPoint.Decide = null;
            mayGoOn.Set();
        }

        run(engine);
    }
}
