using System.Threading;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Backends.Reactors;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Backends.Reactors;

/// <summary>Verifies the end of a reactor, without a system.</summary>
public sealed class ReactorEndTests
{
    // What wakes the thread is closed by then, and its number may be somebody else's.
    [Fact]
    public void Timer_SetAfterTheEnd_WakesNothing() => Guard.Run(() =>
    {
        CountingReactor reactor = new();
        using KeptTimer timer = new(reactor, _ => { });
        timer.Set(MonotonicClock.Now);
        reactor.Dispose();
        timer.Set(MonotonicClock.Now);
        (reactor.HasClosed, reactor.LateWakes).Should().Be((true, 0));
    });

    private sealed class CountingReactor : Reactor
    {
        private readonly SemaphoreSlim _wakes = new(0);

        public CountingReactor()
            : base(index: 0) => Begin();

        public bool HasClosed { get; private set; }

        public int LateWakes { get; private set; }

        public void AwaitWake(int timeout) => _wakes.Wait(timeout);

        public void Awake()
        {
            lock (Gate)
            {
                NoteAwake();
            }
        }

        protected override ReactorThread CreateThread(int index) => new CountingThread(this, index);

        protected override void Wake()
        {
            LateWakes += HasClosed ? 1 : 0;
            _wakes.Release();
        }

        protected override void Close() => HasClosed = true;
    }

    private sealed class CountingThread(CountingReactor reactor, int index) : ReactorThread(reactor, index)
    {
        protected override int Sleep(int timeout)
        {
            reactor.AwaitWake(timeout);
            return 0;
        }

        protected override void HandleReady(int count) => reactor.Awake();

        protected override void HandleDeadline(BackendChild child)
        {
        }

        protected override void FreeMemory()
        {
        }
    }
}
