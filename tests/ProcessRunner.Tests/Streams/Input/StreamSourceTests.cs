using System;
using System.IO;
using System.IO.Pipes;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Execution;
using ProcessRunner.Streams.Input;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Input;

/// <summary>
/// Verifies the bytes that a run takes from the stream of its input, and the bytes that it leaves there.
/// </summary>
[Collection(Alone.Name)]
public sealed class StreamSourceTests
{
    [Fact]
    public void Run_ThatHasEnded_TakesNothingMoreFromTheStream() => Guard.Run(() =>
    {
        using ProcessEngine engine = HeldThreads.Engine(out HeldThreads threads);
        using MemoryStream stream = new(new byte[1000]);
        ProcessCommand command = TestPrograms.Quick() with { StandardInput = InputSource.FromStream(stream) };
        command.Run(engine).EnsureSuccess();
        threads.RunHeld().Should().BePositive();
        stream.Position.Should().Be(0, "the run was over before its turn came");
    });

    // The engine is disposed between the look for its parts and the entry into its list of runs.
    [Fact]
    public void Run_ThatADisposedEngineRefuses_LeavesItsStreamToOthers() => Guard.Run(() =>
    {
        using MemoryStream stream = new("an input"u8.ToArray());
        ProcessCommand command = TestPrograms.Quick("stdin") with { StandardInput = InputSource.FromStream(stream) };
        using ProcessEngine engine = new();
        EngineParts parts = engine.Parts(first: null);
        parts.Lives.Close();
        FluentActions.Invoking(() => ChildLife.Create(new StartOrder(command), parts))
            .Should().Throw<ObjectDisposedException>();
        command.Run().EnsureSuccess();
        stream.Position.Should().Be(stream.Length);
    });

    [Fact]
    public void Stream_OfTwoBatches_IsReadByOneCommandOfEach()
    {
        object[] batches = [new(), new()];
        using MemoryStream stream = new();
        StreamUse use = StreamUse.Of(stream);
        use.TryClaimInBatch(batches[0]).Should().BeTrue();
        use.TryClaimInBatch(batches[1]).Should().BeTrue();
        use.TryClaimInBatch(batches[0]).Should().BeFalse();
        use.TryClaimInBatch(batches[1]).Should().BeFalse();
    }

    [Fact]
    public void Run_WhileAnotherReadsItsStream_IsRefusedBeforeTheStart() => Guard.Run(() =>
    {
        using AnonymousPipeServerStream writer = new(PipeDirection.Out);
        using AnonymousPipeClientStream stream = new(PipeDirection.In, writer.ClientSafePipeHandle);
        ProcessCommand first = TestPrograms.Quick("stdin") with { StandardInput = InputSource.FromStream(stream) };
        ProcessCommand second = TestPrograms.Quick("stdin") with { StandardInput = InputSource.FromStream(stream) };
        using ProcessEngine engine = new();
        Task<ProcessResult> run = first.RunAsync(engine);

        foreach (ProcessCommand command in (ProcessCommand[])[first, second])
        {
            FluentActions.Invoking(() => command.Run(engine)).Should().Throw<InvalidOperationException>();
            Task<ProcessResult> refused = command.RunAsync(engine);
            refused.Exception!.InnerException.Should().BeOfType<InvalidOperationException>();
        }

        engine.StartedChildren.Should().Be(1);
        writer.Write("text"u8);
        writer.Dispose();
        run.Result.StandardOutput.Text.Should().Be("text");
        second.Run(engine).StandardOutput.Text.Should().BeEmpty("the stream is at its end, and free again");
    });

    [Fact]
    public void Run_AfterAStartThatFailed_ReadsTheStream() => Guard.Run(() =>
    {
        using MemoryStream stream = new("text"u8.ToArray());
        InputSource source = InputSource.FromStream(stream);
        ProcessCommand missing = new ProcessCommand("/no/such/program") with { StandardInput = source };
        FluentActions.Invoking(() => missing.Run()).Should().Throw<ProcessStartException>();
        (TestPrograms.Quick("stdin") with { StandardInput = source }).Run().StandardOutput.Text.Should().Be("text");
    });
}
