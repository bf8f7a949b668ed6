using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using ProcessRunner.Backends;
using ProcessRunner.Execution;
using ProcessRunner.Streams.Delivery;
using ProcessRunner.Streams.Input;

namespace ProcessRunner;

/// <summary>
/// One started child. Its pipes are drained whether anybody waits or not. Every member is safe from any thread, and
/// many threads may wait for the same child.
/// </summary>
public sealed class ChildProcess : IDisposable, IAsyncDisposable
{
    private readonly ChildLife _life;
    private readonly ChildInputStream? _standardInput;
    private bool _detached;

    internal ChildProcess(ChildLife life)
    {
        _life = life;
        _standardInput = life.HandWrittenInput;
    }

    /// <summary>Gets the process id. Once the child has ended it may be another process's.</summary>
    public int Id => _life.ProcessId;

    /// <summary>Gets the command that was started.</summary>
    public ProcessCommand Command => _life.Command;

    /// <summary>Gets whether the child has ended and its result is known.</summary>
    public bool HasEnded => _life.HasEnded;

    /// <summary>
    /// Gets the stream that writes the child's standard input, in the order of the calls, awaited or not. A write waits while
    /// the child reads more slowly; one to a child that reads no more does nothing; of one that is cancelled no further byte
    /// is written. Closing it lets the child see the end of its input behind what was written before; a
    /// write behind that throws <see cref="ObjectDisposedException"/>. It is safe to block on the tasks of its writes.
    /// </summary>
    /// <exception cref="InvalidOperationException">The command's input is not <see cref="InputSource.Pipe"/>.</exception>
    public Stream StandardInput => _standardInput
        ?? throw new InvalidOperationException("Only a command with StandardInput = InputSource.Pipe is written by hand.");

    /// <summary>
    /// Gets the lines of the streams that go to <see cref="OutputTarget.Live"/>, as they come; it completes with the end of
    /// the streams. At most 256 lines wait in it, and 131,072 characters (one longer line waits alone): then the child waits. The
    /// end of the child, by a stop or by itself, takes nothing away: what it wrote can be read to its end, even after
    /// <see cref="Dispose"/>. It is safe to block on its tasks.
    /// </summary>
    /// <exception cref="InvalidOperationException">No stream of the command goes to <see cref="OutputTarget.Live"/>.</exception>
    public ChannelReader<OutputLine> Lines => LiveLines;

    /// <summary>
    /// Enumerates <see cref="Lines"/>. Leaving the enumeration early, or cancelling it, stops the child. The tasks of
    /// the steps need no ThreadPool thread to complete, so that it is safe to block on them.
    /// </summary>
    /// <param name="keepRunning">Whether the child runs on when the enumeration is left; the lines that follow are lost.</param>
    /// <param name="cancellationToken">Ends the enumeration; a token given to the enumerator does so, too.</param>
    /// <exception cref="InvalidOperationException">No stream of the command goes to <see cref="OutputTarget.Live"/>.</exception>
    /// <exception cref="OperationCanceledException">By the task of a step: a token was cancelled.</exception>
    public IAsyncEnumerable<OutputLine> ReadLinesAsync(
        bool keepRunning = false, CancellationToken cancellationToken = default) =>
        new LineEnumeration(LiveLines, cancellationToken, () => LeaveLines(keepRunning));

    /// <summary>
    /// Enumerates <see cref="Lines"/> and blocks the calling thread while there is none; it needs no ThreadPool thread.
    /// Leaving the enumeration early stops the child.
    /// </summary>
    /// <param name="keepRunning">Whether the child runs on when the enumeration is left; the lines that follow are lost.</param>
    /// <exception cref="InvalidOperationException">No stream of the command goes to <see cref="OutputTarget.Live"/>.</exception>
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
                BlockingWait.For(readable);
            }
            while (readable.Result);

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

    /// <summary>Waits until the child has ended and all its output has been read.</summary>
    /// <exception cref="ThreadInterruptedException">
    /// The waiting thread was interrupted (<see cref="Thread.Interrupt"/>), which it may notice a second later; the child runs on.
    /// </exception>
    /// <exception cref="Exception">What a callback, a stream or an input of the caller's threw.</exception>
    public ProcessResult Wait() => _life.Wait();

    /// <summary>Waits for the end, but not longer than a limit. The child runs on when the limit passes.</summary>
    /// <param name="limit">Zero looks only; <see cref="Timeout.InfiniteTimeSpan"/> waits for ever.</param>
    /// <param name="result">The result, or null if the limit passed.</param>
    /// <returns>Whether the child has ended.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The limit is negative.</exception>
    public bool TryWait(TimeSpan limit, [NotNullWhen(true)] out ProcessResult? result)
    {
        result = _life.TryWait(TimeLimit.Validated(limit, nameof(limit))) ? _life.Wait() : null;
        return result is not null;
    }

    /// <summary>Waits for the end. A cancelled wait leaves the child running.</summary>
    /// <param name="cancellationToken">Gives up the wait.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled first.</exception>
    public Task<ProcessResult> WaitAsync(CancellationToken cancellationToken = default) => _life.WaitAsync(cancellationToken);

    /// <summary>Sends a signal to the child alone; a raw number may be cast to <see cref="PosixSignal"/>.</summary>
    /// <returns>
    /// False if the child had ended, so that no signal ever reaches a process that took over its id, or if this process may not
    /// signal it (a set-user-id program, kill(2)).
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">There is no such signal.</exception>
    public bool Signal(PosixSignal signal) => _life.Signal(SignalNumber.Validated(signal, nameof(signal)));

    /// <summary>
    /// Stops the child's process group and waits until it is gone: <see cref="ProcessCommand.StopSignal"/> first, SIGKILL
    /// after a grace. Does nothing but wait for the rest of the output if the child has ended.
    /// </summary>
    /// <param name="grace">Until SIGKILL; <see cref="ProcessCommand.StopGrace"/> if null.</param>
    /// <exception cref="ArgumentOutOfRangeException">The grace is negative.</exception>
    public ProcessResult Stop(TimeSpan? grace = null)
    {
        _life.Stop(StopCause.Request, TimeLimit.Validated(grace ?? Command.StopGrace, nameof(grace)));
        return Wait();
    }

    /// <summary>Does what <see cref="Stop"/> does; no thread waits meanwhile.</summary>
    /// <param name="grace">Until SIGKILL; <see cref="ProcessCommand.StopGrace"/> if null.</param>
    /// <exception cref="ArgumentOutOfRangeException">The grace is negative.</exception>
    public Task<ProcessResult> StopAsync(TimeSpan? grace = null)
    {
        _life.Stop(StopCause.Request, TimeLimit.Validated(grace ?? Command.StopGrace, nameof(grace)));
        return WaitAsync();
    }

    /// <summary>Kills the child's process group at once. Does nothing if the child has ended; does not wait.</summary>
    public void Kill() => _life.Stop(StopCause.Request, TimeSpan.Zero);

    /// <summary>
    /// Lets the child go: neither <see cref="Dispose"/> nor the end of its engine or of this process stops it
    /// (<see cref="ProcessEngine.Dispose"/>, <see cref="ProcessEngineOptions.KillChildrenOnExit"/>, <see cref="ProcessEngineOptions.KillChildrenOnSignal"/>). It can
    /// still be waited for.
    /// </summary>
    public void Detach()
    {
        Volatile.Write(ref _detached, true);
        _life.Spare();
    }

    /// <summary>Stops the child if it still runs, by the command's stop signal and grace, and waits until it is gone.</summary>
    public void Dispose()
    {
        if (!Volatile.Read(ref _detached) && !HasEnded)
        {
            _life.Stop(StopCause.Dispose, Command.StopGrace);
            _life.AwaitEnd();
        }
    }

    /// <summary>Does what <see cref="Dispose"/> does; no thread waits meanwhile.</summary>
    public ValueTask DisposeAsync()
    {
        if (Volatile.Read(ref _detached) || HasEnded)
        {
            return ValueTask.CompletedTask;
        }

        _life.Stop(StopCause.Dispose, Command.StopGrace);
        return new ValueTask(_life.Completion.Ended);
    }

    private LineChannel LiveLines => _life.Lines ?? throw new InvalidOperationException(
        "Only a command with a stream that goes to OutputTarget.Live has live lines.");

    private void LeaveLines(bool keepRunning)
    {
        LiveLines.Close();
        if (!keepRunning)
        {
            _life.Stop(StopCause.Request, Command.StopGrace);
        }
    }
}
