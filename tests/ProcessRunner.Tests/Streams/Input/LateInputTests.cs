using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Streams.Input;

/// <summary>
/// Verifies that code for the input does not begin after the child has ended. The threads of user code are held back
/// until then, as a busy machine holds them back.
/// </summary>
public sealed class LateInputTests : IDisposable
{
    private readonly ProcessEngine _engine;
    private HeldThreads? _threads;

    public LateInputTests()
    {
        ProcessEngineOptions options = new();
        bool isNative = ProcessBackend.HasNative;
        _engine = new ProcessEngine(
            options,
            ProcessBackend.Create(new BackendOptions(isNative, options.ReactorCount, false, false, false, null)),
            backend => _threads = new HeldThreads(new DeliveryThreads(backend)));
    }

    public void Dispose() => _engine.Dispose();

    [Fact]
    public void Writer_WhoseTurnComesAfterTheEnd_IsNotCalled() => Guard.Run(() =>
    {
        bool isCalled = false;
        ProcessCommand command = TestPrograms.Quick() with
        {
            StandardInput = InputSource.FromWriter((_, _) =>
            {
                isCalled = true;
                return Task.CompletedTask;
            }),
        };
        command.Run(_engine).EnsureSuccess();
        _threads!.RunHeld();
        isCalled.Should().BeFalse();
    });

    [Fact]
    public void Lines_WhoseTurnComesAfterTheEnd_AreNotAskedFor() => Guard.Run(() =>
    {
        bool isAsked = false;
        ProcessCommand command = TestPrograms.Quick() with { StandardInput = InputSource.FromLines(Lines()) };
        command.Run(_engine).EnsureSuccess();
        _threads!.RunHeld();
        isAsked.Should().BeFalse();

        IEnumerable<string> Lines()
        {
            isAsked = true;
            yield return "line";
        }
    });

    [Fact]
    public void Lines_AfterTheOneThatIsUnderWayAtTheEnd_AreNotAskedFor() => Guard.Run(() =>
    {
        using ManualResetEventSlim isUnderWay = new();
        using ManualResetEventSlim hasEnded = new();
        bool isAskedAgain = false;
        bool isDisposed = false;
        ProcessCommand command =
            TestPrograms.Quick("sleep", "1000000") with { StandardInput = InputSource.FromLines(Lines()) };
        Thread feeder = new(() =>
        {
            _threads!.AwaitJob();
            _threads.RunHeld();
        });
        using (ChildProcess child = command.Start(_engine))
        {
            feeder.Start();
            isUnderWay.Wait();
            child.Kill();
            child.Wait();
        }

        hasEnded.Set();
        feeder.Join();
        isAskedAgain.Should().BeFalse();
        isDisposed.Should().BeTrue();

        IEnumerable<string> Lines()
        {
            try
            {
                isUnderWay.Set();
                hasEnded.Wait();
                yield return "1";
                isAskedAgain = true;
                yield return "2";
            }
            finally
            {
                isDisposed = true;
            }
        }
    });

    // Nobody else would read what the first stage writes.
    [Fact]
    public void CodeOfAPipeline_WhoseTurnComesAfterTheEndOfItsStage_IsNotCalledAndHoldsUpNothing() => Guard.Run(() =>
    {
        bool isCalled = false;
        ProcessPipeline pipeline = TestPrograms.Quick("zeros", "3000000").PipeThrough(
            (_, _, _) =>
            {
                isCalled = true;
                return Task.CompletedTask;
            },
            TestPrograms.Quick());
        using RunningPipeline running = pipeline.Start(_engine);
        running.Stages[1].Wait();
        _threads!.LetGo();
        running.Wait().Stages[1].IsSuccess.Should().BeTrue();
        isCalled.Should().BeFalse();
    });

    /// <summary>Keeps the jobs until they are to run, on the thread that asks for it or on threads as usual.</summary>
    private sealed class HeldThreads(IDeliveryThreads threads) : IDeliveryThreads
    {
        private readonly Queue<DeliveryJob> _held = new();
        private bool _isLetGo;

        public int Count => threads.Count;

        public void Post(DeliveryJob job)
        {
            lock (_held)
            {
                if (_isLetGo)
                {
                    threads.Post(job);
                }
                else if (!_held.Contains(job))
                {
                    _held.Enqueue(job);
                    Monitor.PulseAll(_held);
                }
            }
        }

        public void AwaitJob()
        {
            lock (_held)
            {
                while (_held.Count == 0)
                {
                    Monitor.Wait(_held);
                }
            }
        }

        public void RunHeld()
        {
            DeliveryJob[] jobs;
            lock (_held)
            {
                jobs = [.. _held];
                _held.Clear();
            }

            Array.ForEach(jobs, static job => job.Action());
        }

        public void LetGo()
        {
            lock (_held)
            {
                _isLetGo = true;
                while (_held.TryDequeue(out DeliveryJob? job))
                {
                    threads.Post(job);
                }
            }
        }

        public void Dispose() => threads.Dispose();
    }
}
