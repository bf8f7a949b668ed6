using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;

namespace ProcessRunner;

/// <summary>Tells what came of one command of a batch. Immutable and safe to read from any thread.</summary>
public sealed class BatchResult
{
    internal BatchResult()
    {
    }

    /// <summary>Gets what was to be run.</summary>
    public required BatchItem Item { get; init; }

    /// <summary>Gets the place of the command in the input, from 0; in a repeated batch, in this repetition of it.</summary>
    public required long Index { get; init; }

    /// <summary>Gets which repetition of the input it was, from 0.</summary>
    public required int Repetition { get; init; }

    /// <summary>Gets what came of the last attempt, or null if the command could not be started.</summary>
    public required ProcessResult? Result { get; init; }

    /// <summary>
    /// Gets why the command could not be started (<see cref="ProcessStartException"/>), or what a callback, a stream or an
    /// input of the caller's threw in the last attempt; else null.
    /// </summary>
    public required Exception? Exception { get; init; }

    /// <summary>Gets the results of the attempts that failed before the last one, in order.</summary>
    public required IReadOnlyList<ProcessResult> EarlierAttempts { get; init; }

    /// <summary>
    /// Gets the number that the last attempt had in <see cref="BatchOptions.SlotVariable"/>: between 0 and the limit of
    /// concurrency, and no other live child's of the batch.
    /// </summary>
    public required int Slot { get; init; }

    /// <summary>Gets what was run.</summary>
    public ProcessCommand Command => Item.Command;

    /// <summary>Gets the <see cref="BatchItem.Tag"/> of the item.</summary>
    public object? Tag => Item.Tag;

    /// <summary>Gets whether the last attempt succeeded (<see cref="ProcessResult.IsSuccess"/>).</summary>
    public bool IsSuccess => Exception is null && Result is { IsSuccess: true };

    /// <summary>Gets whether the command succeeded, but not at the first attempt.</summary>
    public bool IsFlaky => IsSuccess && EarlierAttempts.Count > 0;

    /// <summary>Returns the result of the last attempt if it succeeded.</summary>
    /// <exception cref="ExitCodeException">It ended without success.</exception>
    /// <exception cref="ProcessStartException">The command could not be started.</exception>
    /// <exception cref="System.Exception">What a callback, a stream or an input of the caller's threw.</exception>
    public ProcessResult EnsureSuccess()
    {
        if (Exception is not null)
        {
            ExceptionDispatchInfo.Throw(Exception);
        }

        return Result!.EnsureSuccess();
    }

    /// <summary>Returns the command and what came of it.</summary>
    public override string ToString() => Result is null ? $"{Command}: {Exception!.Message}" : Result.ToString();
}
