using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.ExceptionServices;

namespace ProcessRunner;

/// <summary>Represents the result of one command of a batch. Immutable and safe to read from any thread.</summary>
[DebuggerDisplay("{ToString(),nq}")]
public class BatchResult
{
    internal BatchResult()
    {
    }

    /// <summary>Creates the result of a command, for tests.</summary>
    /// <param name="item">The item of the command.</param>
    /// <param name="result">The result of the last attempt, or null if the command could not be started.</param>
    /// <param name="exception">Why it could not be started, or what code of the caller threw; otherwise null.</param>
    /// <param name="index">The index of the command in the input.</param>
    /// <param name="earlierAttempts">The results of earlier attempts that failed; none if null.</param>
    /// <exception cref="ArgumentNullException">The item is null.</exception>
    /// <exception cref="ArgumentException">There is neither a result nor an exception.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The index is negative.</exception>
    public static BatchResult Create(
        BatchItem item,
        ProcessResult? result,
        Exception? exception = null,
        long index = 0,
        IReadOnlyList<ProcessResult>? earlierAttempts = null)
    {
        ArgumentNullException.ThrowIfNull(item);
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        return result is null && exception is null
            ? throw new ArgumentException("Either a result or an exception is required.", nameof(result))
            : new BatchResult
            {
                Item = item,
                Index = index,
                Repetition = 0,
                Result = result,
                Exception = exception,
                EarlierAttempts = earlierAttempts ?? [],
                Slot = 0,
            };
    }

    /// <summary>Gets the item of the command.</summary>
    public required BatchItem Item { get; init; }

    /// <summary>
    /// Gets the zero-based index of the command in the input, sorted if <see cref="BatchOptions.Order"/> says so. Each
    /// repetition of the input counts from 0.
    /// </summary>
    public required long Index { get; init; }

    /// <summary>Gets the zero-based number of the repetition of the input.</summary>
    public required int Repetition { get; init; }

    /// <summary>Gets the result of the last attempt, or null if the command could not be started.</summary>
    public required ProcessResult? Result { get; init; }

    /// <summary>
    /// Gets why the command was not started, or the exception of a callback, stream or input of the caller in the last
    /// attempt; otherwise null. A command that was not started has a <see cref="ProcessStartException"/>, or the
    /// exception with which its start refused it: a <see cref="PlatformNotSupportedException"/> for a part that the
    /// backend lacks, or an <see cref="InvalidOperationException"/>.
    /// </summary>
    public required Exception? Exception { get; init; }

    /// <summary>Gets the results of the attempts that failed before the last one, in order.</summary>
    public required IReadOnlyList<ProcessResult> EarlierAttempts { get; init; }

    /// <summary>
    /// Gets the number that the last attempt had in <see cref="BatchOptions.SlotVariable"/>: from 0 up to but not
    /// including the limit of concurrency. No two live children of the batch share it.
    /// </summary>
    public required int Slot { get; init; }

    /// <summary>Gets the command.</summary>
    public ProcessCommand Command => Item.Command;

    /// <summary>Gets the <see cref="BatchItem.Tag"/> of the item.</summary>
    public object? Tag => Item.Tag;

    /// <summary>Gets whether the last attempt succeeded (<see cref="ProcessResult.IsSuccess"/>).</summary>
    public bool IsSuccess => Exception is null && Result is { IsSuccess: true };

    /// <summary>Gets whether the command succeeded, but not at the first attempt.</summary>
    public bool IsFlaky => IsSuccess && EarlierAttempts.Count > 0;

    /// <summary>Returns the result of the last attempt if it succeeded.</summary>
    /// <returns>The value of <see cref="Result"/>.</returns>
    /// <exception cref="ExitCodeException">The attempt ended without success.</exception>
    /// <exception cref="ProcessStartException">The command could not be started.</exception>
    /// <exception cref="InvalidOperationException">The start refused the command.</exception>
    /// <exception cref="PlatformNotSupportedException">The backend lacks a part that the command needs.</exception>
    /// <exception cref="System.Exception">A callback, stream or input of the caller threw this exception.</exception>
    public ProcessResult EnsureSuccess()
    {
        if (Failure is Exception failure)
        {
            ExceptionDispatchInfo.Throw(failure);
        }

        return Result!;
    }

    /// <summary>Gets the exception that <see cref="EnsureSuccess"/> throws, or null.</summary>
    internal Exception? Failure => Exception ?? (IsSuccess ? null : new ExitCodeException(Result!));

    /// <summary>Returns the command and its outcome.</summary>
    public override string ToString() =>
        Exception is null ? $"{Result}"
        : Command.Hide($"{Result?.ToString() ?? $"{Command}"}: {Exception.Message}");
}
