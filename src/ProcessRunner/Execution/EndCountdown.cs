using System;
using System.Runtime.ExceptionServices;
using System.Threading;

namespace ProcessRunner.Execution;

/// <summary>
/// Counts the ends of several runs, and calls back after the last one, on the thread that sees it. Thread-safe.
/// </summary>
/// <remarks>
/// The creator is a participant as well, so that the count cannot be over while runs are added. The callback comes with
/// the gate of the last child held, unless the creator is the last.
/// </remarks>
internal sealed class EndCountdown
{
    private readonly Action _completed;
    private readonly Participant _creator;
    private int _left = 1;

    /// <param name="completed">
    /// The callback. Called again if it has thrown an <see cref="OutOfMemoryException"/>.
    /// </param>
    public EndCountdown(Action completed)
    {
        _completed = completed;
        _creator = new Participant(this);
    }

    /// <summary>Creates what a run needs to be counted. Has no effect yet.</summary>
    public IEndWaiter CreateParticipant() => new Participant(this);

    /// <summary>Adds a run. Before <see cref="EndAdding"/>. Needs no memory.</summary>
    public void Add(IEndWaiter participant, ChildLife run)
    {
        Interlocked.Increment(ref _left);
        run.Completion.Add(participant);
    }

    /// <summary>Notes that no further run is added.</summary>
    public void EndAdding() => _creator.CountDown();

    private sealed class Participant(EndCountdown countdown) : IEndWaiter
    {
        private bool _isCounted;
        private bool _isLast;

        IEndWaiter? IEndWaiter.Next { get; set; }

        void IEndWaiter.OnEnded(ProcessResult? result, ExceptionDispatchInfo? startFailure) => CountDown();

        // Can be called again after a lack of memory.
        public void CountDown()
        {
            if (!_isCounted)
            {
                _isCounted = true;
                _isLast = Interlocked.Decrement(ref countdown._left) == 0;
            }

            if (_isLast)
            {
                countdown._completed();
            }
        }
    }
}
