using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner.Execution;

/// <summary>
/// Enumerates the start, the live lines and the end of a child for <c>await foreach</c>. The thread that brings a line,
/// or that sees the end, completes the task of the step itself.
/// </summary>
/// <param name="life">The run.</param>
/// <param name="lines">The lines of the run.</param>
/// <param name="left">
/// A callback for an enumeration that is left or canceled before its end. Called by the thread that leaves or cancels
/// it, with no lock held.
/// </param>
/// <param name="token">A token that ends the enumeration.</param>
internal sealed class EventEnumeration(ChildLife life, LineChannel lines, Action left, CancellationToken token)
    : IAsyncEnumerable<ChildEvent>
{
    public IAsyncEnumerator<ChildEvent> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>
        new Enumerator(life, lines, left, new EitherToken(token, cancellationToken));

    // For a single reader. While the reader waits, the thread that brings the event acts in its place. As the waiter
    // for the end, its task completes with the child's gate held: only a task whose continuations run elsewhere may
    // follow it.
    private sealed class Enumerator(
        ChildLife life, LineChannel lines, Action left, EitherToken token)
        : TaskCompletionSource<bool>, IAsyncEnumerator<ChildEvent>, IEndWaiter
    {
        private bool _isOver;
        private bool _isAtEnd;

        public ChildEvent Current { get; private set; } = null!;

        IEndWaiter? IEndWaiter.Next { get; set; }

        public ValueTask<bool> MoveNextAsync()
        {
            if (_isOver || _isAtEnd)
            {
                _isOver = true;
                return ValueTask.FromResult(false);
            }

            if (Current is null)
            {
                Current = new ChildStarted(life.ProcessId);
                return ValueTask.FromResult(true);
            }

            return lines.AskAsync(Next, token.Token, Leave);
        }

        public ValueTask DisposeAsync()
        {
            Leave();
            token.Dispose();
            return ValueTask.CompletedTask;
        }

        void IEndWaiter.OnEnded(ProcessResult? result, ExceptionDispatchInfo? startFailure)
        {
            if ((startFailure ?? result!.ClaimDeliveryFailure()) is ExceptionDispatchInfo failure)
            {
                _isAtEnd = true;
                TrySetException(failure.SourceException);
            }
            else
            {
                Current = new ChildExited(result!);
                _isAtEnd = true;
                TrySetResult(true);
            }
        }

        // Requires the gate of the lines. The child's gate is acquired inside it.
        private Task<bool>? Next()
        {
            if (lines.TryRead(out OutputLine line))
            {
                Current = new ChildWrote(line);
                return System.Threading.Tasks.Task.FromResult(true);
            }

            if (!lines.IsReadable)
            {
                return null;
            }

            if (lines.Failed<bool>() is { } failed)
            {
                // That is the end. Nobody has left: the child goes on.
                _isOver = true;
                return failed;
            }

            life.Completion.Add(this);
            return Task;
        }

        private void Leave()
        {
            if (!_isOver && !_isAtEnd)
            {
                _isOver = true;
                life.Completion.Remove(this);
                left();
            }
        }
    }
}
