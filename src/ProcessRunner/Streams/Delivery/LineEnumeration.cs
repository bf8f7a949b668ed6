using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner.Streams.Delivery;

/// <summary>
/// Enumerates the live lines for <c>await foreach</c>. Not a compiler-generated iterator, because its steps need a
/// ThreadPool thread between the line and their task.
/// </summary>
/// <param name="lines">The lines to enumerate.</param>
/// <param name="token">A token that ends the enumeration.</param>
/// <param name="left">
/// A callback for an enumeration that is left or canceled before its end. Called by the thread that leaves or cancels
/// it, with no lock held.
/// </param>
internal sealed class LineEnumeration(LineChannel lines, CancellationToken token, Action? left = null)
    : IAsyncEnumerable<OutputLine>
{
    public IAsyncEnumerator<OutputLine> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>
        new Enumerator(lines, left, new EitherToken(token, cancellationToken));

    // For a single reader. While the reader waits, the thread that brings the line acts in its place.
    private sealed class Enumerator : IAsyncEnumerator<OutputLine>
    {
        private readonly LineChannel _lines;
        private readonly EitherToken _token;
        private readonly Action? _left;
        private readonly Func<Task<bool>?> _next;
        private readonly Action _leave;
        private bool _isOver;

        public Enumerator(LineChannel lines, Action? left, EitherToken token)
        {
            _lines = lines;
            _token = token;
            _left = left;
            _next = Next;
            _leave = Leave;
        }

        public OutputLine Current { get; private set; }

        public ValueTask<bool> MoveNextAsync() =>
            _isOver ? ValueTask.FromResult(false) : _lines.AskAsync(_next, _token.Token, _leave);

        public ValueTask DisposeAsync()
        {
            Leave();
            _token.Dispose();
            return ValueTask.CompletedTask;
        }

        // Requires the gate of the lines.
        private Task<bool>? Next()
        {
            if (_lines.TryRead(out OutputLine line))
            {
                Current = line;
                return Task.FromResult(true);
            }

            if (_lines.IsReadable && _lines.Failed<bool>() is Task<bool> failed)
            {
                // That is the end. Nobody has left: the child goes on.
                _isOver = true;
                return failed;
            }

            _isOver = _lines.IsReadable;
            return _isOver ? Task.FromResult(false) : null;
        }

        private void Leave()
        {
            if (!_isOver)
            {
                _isOver = true;
                _left?.Invoke();
            }
        }
    }
}
