using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// Verifies that an asynchronous stop does not block for its grace. The grace is longer than the test may take, the
/// child ignores the stop signal, and the child ends only when it is released after the call has returned.
/// </summary>
public sealed class AsyncStopTests
{
    private const string Script = "trap '' TERM; echo ready >\"$1\"; read go <\"$2\"; exit 3";

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void StopAsync_OfAChildThatIgnoresIt_ReturnsAtOnce() => Guard.Run(() =>
    {
        using StubbornChild stubborn = new();
        ChildProcess child = stubborn.Start();
        stubborn.AwaitReady();
        Task<ProcessResult> stop = child.StopAsync();
        stop.IsCompleted.Should().BeFalse();
        stubborn.LetGo();
        stop.GetAwaiter().GetResult().StoppedBy.Should().Be(StopCause.Request);
        child.IsRunning.Should().BeFalse();
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void DisposeAsync_OfAChildThatIgnoresIt_ReturnsAtOnce() => Guard.Run(() =>
    {
        using StubbornChild stubborn = new();
        ChildProcess child = stubborn.Start();
        stubborn.AwaitReady();
        Task dispose = child.DisposeAsync().AsTask();
        dispose.IsCompleted.Should().BeFalse();
        stubborn.LetGo();
        dispose.GetAwaiter().GetResult();
        child.Wait().StoppedBy.Should().Be(StopCause.Dispose);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void DisposeAsync_OfAnExecutorWhoseChildIgnoresIt_ReturnsAtOnce() => Guard.Run(() =>
    {
        using StubbornChild stubborn = new();
        using ProcessEngine engine = new();
        ProcessExecutor executor = new("stubborn", stubborn.Command, engine);
        executor.Run();
        stubborn.AwaitReady();
        Task dispose = executor.DisposeAsync().AsTask();
        dispose.IsCompleted.Should().BeFalse();
        stubborn.LetGo();
        dispose.GetAwaiter().GetResult();
        executor.Result.StoppedBy.Should().Be(StopCause.Dispose);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void DisposeAsync_OfAnEngine_KillsItsChildren() => Guard.Run(() =>
    {
        using StubbornChild stubborn = new();
        ProcessEngine engine = new();
        ChildProcess child = stubborn.Start(engine);
        stubborn.AwaitReady();
        engine.DisposeAsync().AsTask().GetAwaiter().GetResult();
        child.IsRunning.Should().BeFalse();
        child.Wait().StoppedBy.Should().Be(StopCause.EngineDispose);
        engine.ThreadCount.Should().Be(0);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a FIFO")]
    public void InterruptedRun_OfAPipeline_LeavesNobody() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        string[] fifos = [directory.Fifo("first"), directory.Fifo("second")];
        ProcessPipeline pipeline = Sleeper(fifos[0]).PipeTo(Sleeper(fifos[1]));
        Exception? thrown = null;
        Thread runner = new(() =>
        {
            try
            {
                pipeline.Run();
            }
            catch (Exception exception)
            {
                thrown = exception;
            }
        });
        runner.Start();
        int[] ids = Array.ConvertAll(fifos, fifo => int.Parse(File.ReadAllText(fifo)));
        runner.Interrupt();
        runner.Join();
        thrown.Should().BeOfType<ThreadInterruptedException>();
        ids.Should().OnlyContain(id => !ProcFs.IsAlive(id));
    });

    private static ProcessCommand Sleeper(string fifo) => TestPrograms.Shell("echo $$ >\"$1\"; exec sleep 1000", fifo);

    private sealed class StubbornChild : IDisposable
    {
        private readonly TemporaryDirectory _directory = new();
        private readonly string _ready;
        private readonly string _go;
        private ChildProcess? _child;

        public StubbornChild()
        {
            _ready = _directory.Fifo("ready");
            _go = _directory.Fifo("go");
            Command = TestPrograms.Shell(Script, _ready, _go) with { StopGrace = TimeSpan.FromHours(1) };
        }

        public ProcessCommand Command { get; }

        public ChildProcess Start(ProcessEngine? engine = null) =>
            _child = engine is null ? Command.Start() : Command.Start(engine);

        public void AwaitReady() => File.ReadAllText(_ready);

        public void LetGo() => File.WriteAllText(_go, "go\n");

        // A test that fails has not let the child go, which would hold up its disposal for the whole grace.
        public void Dispose()
        {
            _child?.Kill();
            _child?.Dispose();
            _directory.Dispose();
        }
    }
}
