using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Execution;
using ProcessRunner.Streams.Delivery;

namespace ProcessRunner;

/// <content>The live lines.</content>
public sealed partial class ChildProcess
{
    /// <summary>
    /// Gets the lines of the streams that go to <see cref="OutputTarget.Live"/>, as they arrive. The channel completes
    /// at the end of the streams, with an <see cref="OutputDecodingException"/> if
    /// <see cref="ProcessCommand.StrictDecoding"/> is true and the encoding cannot decode the output. It holds at most
    /// 256 lines and 131,072 characters, or one longer line alone; while it is full, the child waits. Neither a stop
    /// nor the child's own end loses a line: all that the child wrote can be read to the end, even after
    /// <see cref="Dispose"/>. It is safe to block on the tasks of the channel.
    /// </summary>
    /// <exception cref="InvalidOperationException">
    /// No stream of the command goes to <see cref="OutputTarget.Live"/>.
    /// </exception>
    public ChannelReader<OutputLine> Lines => LiveLines;

    /// <summary>
    /// Enumerates <see cref="Lines"/>. Leaving the enumeration early, or canceling it, stops the child. The tasks of
    /// the steps need no ThreadPool thread to complete, so it is safe to block on them.
    /// </summary>
    /// <param name="keepRunning">
    /// Whether the child continues when the loop leaves the enumeration. The lines that follow are lost.
    /// </param>
    /// <param name="cancellationToken">Ends the enumeration, as does a token that is passed to the enumerator.</param>
    /// <exception cref="InvalidOperationException">
    /// No stream of the command goes to <see cref="OutputTarget.Live"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException">A token was canceled. The task of a step reports it.</exception>
    /// <exception cref="OutputDecodingException">
    /// The encoding cannot decode the output, and <see cref="ProcessCommand.StrictDecoding"/> is true. The task of a
    /// step reports it, after the lines before it. The child continues.
    /// </exception>
    public IAsyncEnumerable<OutputLine> ReadLinesAsync(
        bool keepRunning = false, CancellationToken cancellationToken = default) =>
        new LineEnumeration(LiveLines, cancellationToken, () => LeaveLines(keepRunning));

    /// <summary>
    /// Enumerates <see cref="Lines"/>, and blocks the calling thread while there is none. It needs no ThreadPool
    /// thread. Leaving the enumeration early stops the child.
    /// </summary>
    /// <param name="keepRunning">
    /// Whether the child continues when the loop leaves the enumeration. The lines that follow are lost.
    /// </param>
    /// <exception cref="InvalidOperationException">
    /// In the first step: no stream of the command goes to <see cref="OutputTarget.Live"/>.
    /// </exception>
    /// <exception cref="ThreadInterruptedException">
    /// In a step: the waiting thread was interrupted (<see cref="Thread.Interrupt"/>), which ends the enumeration.
    /// </exception>
    /// <exception cref="OutputDecodingException">
    /// In a step, after the lines before it: the encoding cannot decode the output, and
    /// <see cref="ProcessCommand.StrictDecoding"/> is true. The child continues.
    /// </exception>
    public IEnumerable<OutputLine> ReadLines(bool keepRunning = false)
    {
        LineChannel lines = LiveLines;
        bool isAtEnd = false;
        try
        {
            Task<bool> readable;
            do
            {
                while (lines.TryRead(out OutputLine line))
                {
                    yield return line;
                }

                readable = lines.WaitToReadAsync().AsTask();
                HasEndedWithin(readable, Timeout.InfiniteTimeSpan);

                // A failure of the lines is their end. Nobody has left: the child goes on.
                isAtEnd = readable.IsFaulted;
            }
            while (readable.GetAwaiter().GetResult());

            isAtEnd = true;
        }
        finally
        {
            if (!isAtEnd)
            {
                LeaveLines(keepRunning);
            }
        }
    }

    /// <summary>
    /// Enumerates what happens to the child: its start, the lines of the streams that go to
    /// <see cref="OutputTarget.Live"/>, and its end. With <see cref="LineOptions.PromptDelay"/> a prompt arrives as a
    /// line that is partial, and can be answered by <see cref="StandardInput"/>. Leaving the enumeration early, or
    /// canceling it, stops the child. The tasks of the steps need no ThreadPool thread to complete, so it is safe to
    /// block on them. A stream that is not live yields no lines.
    /// </summary>
    /// <param name="cancellationToken">Ends the enumeration, as does a token that is passed to the enumerator.</param>
    /// <exception cref="InvalidOperationException">
    /// No stream of the command goes to <see cref="OutputTarget.Live"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException">A token was canceled. The task of a step reports it.</exception>
    /// <exception cref="Exception">
    /// A callback, stream or input of the caller threw this exception. The task of the last step reports it.
    /// </exception>
    /// <exception cref="OutputDecodingException">
    /// The encoding cannot decode the output, and <see cref="ProcessCommand.StrictDecoding"/> is true. The task of a
    /// step reports it, after the lines before it, and no event follows. The child continues.
    /// </exception>
    public IAsyncEnumerable<ChildEvent> ReadEventsAsync(CancellationToken cancellationToken = default) =>
        new EventEnumeration(_life, LiveLines, () => LeaveLines(keepRunning: false), cancellationToken);

    /// <summary>
    /// Takes lines until one matches, on the calling thread: for a server that reports when it is ready, or a prompt
    /// that ends with a line end. The child continues in any case, and the lines that follow are for the next reader;
    /// if there is none, call <see cref="IgnoreLines"/>.
    /// </summary>
    /// <param name="predicate">A function that returns whether a line matches.</param>
    /// <param name="limit">The limit; <see cref="Timeout.InfiniteTimeSpan"/> waits without a limit.</param>
    /// <returns>The line that matches. The lines before it have been taken as well.</returns>
    /// <exception cref="ArgumentNullException">The predicate is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The limit is negative.</exception>
    /// <exception cref="InvalidOperationException">
    /// No stream of the command goes to <see cref="OutputTarget.Live"/>.
    /// </exception>
    /// <exception cref="TimeoutException">The limit has passed.</exception>
    /// <exception cref="EndOfStreamException">The output has ended, and no line matched.</exception>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>). The child continues.
    /// </exception>
    /// <exception cref="OutputDecodingException">
    /// The encoding cannot decode the output, no line before that matched, and
    /// <see cref="ProcessCommand.StrictDecoding"/> is true. The child continues.
    /// </exception>
    public OutputLine WaitForLine(Func<OutputLine, bool> predicate, TimeSpan limit)
    {
        ArgumentNullException.ThrowIfNull(predicate);
        TimeLimit.Validated(limit, nameof(limit));
        return WaitForLine(LiveLines, predicate, limit, CancellationToken.None);
    }

    /// <summary>
    /// Takes lines until one matches, as <see cref="WaitForLine(Func{OutputLine, bool}, TimeSpan)"/> does, without a
    /// thread of the caller that waits. A delivery thread of the engine takes the lines meanwhile.
    /// </summary>
    /// <param name="predicate">
    /// A function that returns whether a line matches, called on a delivery thread in the caller's context.
    /// </param>
    /// <param name="limit">The limit; <see cref="Timeout.InfiniteTimeSpan"/> waits without a limit.</param>
    /// <param name="cancellationToken">Ends the wait. The child continues.</param>
    /// <returns>A task that needs no ThreadPool thread to complete, so it is safe to block on it.</returns>
    /// <exception cref="OperationCanceledException">In the task: the token was canceled.</exception>
    /// <inheritdoc cref="WaitForLine(Func{OutputLine, bool}, TimeSpan)"/>
    public Task<OutputLine> WaitForLineAsync(
        Func<OutputLine, bool> predicate, TimeSpan limit, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(predicate);
        TimeLimit.Validated(limit, nameof(limit));
        LineChannel lines = LiveLines;
        TaskCompletionSource<OutputLine> found = new(TaskCreationOptions.RunContinuationsAsynchronously);
        DeliveryJob search = new(
            () =>
            {
                try
                {
                    found.SetResult(WaitForLine(lines, predicate, limit, cancellationToken));
                }
                catch (Exception exception)
                {
                    found.SetFromTask(FailedTask.Of<OutputLine>(exception));
                }
            },
            ExecutionContext.Capture());
        _life.Engine.Streams.Threads.Post(search);
        return found.Task;
    }

    /// <summary>
    /// Drops the live lines from now on, so that the child never waits for a reader. Lines that are there already can
    /// still be read. Captures and callbacks of the same stream (<see cref="OutputTarget.Tee"/>) are not affected.
    /// </summary>
    /// <exception cref="InvalidOperationException">
    /// No stream of the command goes to <see cref="OutputTarget.Live"/>.
    /// </exception>
    public void IgnoreLines() => LiveLines.Close();

    private LineChannel LiveLines
    {
        get
        {
            _life.MarkUsed();
            return _life.Lines ?? throw new InvalidOperationException(
                "Only a command with a stream that goes to OutputTarget.Live has live lines.");
        }
    }

    private OutputLine WaitForLine(
        LineChannel lines, Func<OutputLine, bool> predicate, TimeSpan limit, CancellationToken cancellationToken)
    {
        long end = MonotonicClock.In(limit);
        using CancellationTokenSource left = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            do
            {
                while (lines.TryRead(out OutputLine line))
                {
                    if (predicate(line))
                    {
                        return line;
                    }

                    cancellationToken.ThrowIfCancellationRequested();
                    ThrowIfLate(end, limit);
                }

                AwaitLine(lines.WaitToReadAsync(left.Token).AsTask(), end, cancellationToken);
                ThrowIfLate(end, limit);
            }
            while (true);
        }
        finally
        {
            // A request would stay until the next line.
            left.Cancel();
        }
    }

    private void AwaitLine(Task<bool> readable, long end, CancellationToken cancellationToken)
    {
        if (!HasEndedWithin(readable, MonotonicClock.Until(end)))
        {
            return;
        }

        if (readable.IsCanceled)
        {
            cancellationToken.ThrowIfCancellationRequested();
        }

        if (!readable.GetAwaiter().GetResult())
        {
            throw new EndOfStreamException($"The output has ended, and no line matched. ({Command})");
        }
    }

    private static bool HasEndedWithin(Task task, TimeSpan limit)
    {
        try
        {
            return BlockingWait.For(task, limit);
        }
        catch (AggregateException)
        {
            // The result of the task throws the exception itself.
            return true;
        }
    }

    private void ThrowIfLate(long end, TimeSpan limit)
    {
        if (MonotonicClock.Now >= end)
        {
            throw new TimeoutException($"No line matched within {limit}. ({Command})");
        }
    }

    private void LeaveLines(bool keepRunning)
    {
        LiveLines.Close();
        if (!keepRunning)
        {
            _life.Stop(StopCause.Request);
        }
    }
}
