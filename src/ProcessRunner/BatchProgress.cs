using System;
using System.Collections.Generic;

namespace ProcessRunner;

/// <summary>Tells how far a batch has come. Immutable.</summary>
public sealed class BatchProgress
{
    internal BatchProgress()
    {
    }

    /// <summary>
    /// Gets how many commands have been read from the input, in all repetitions. At every moment they are the sum of
    /// <see cref="Queued"/>, <see cref="Running"/>, <see cref="Passed"/>, <see cref="Failed"/> and <see cref="NotStarted"/>.
    /// </summary>
    public required long Read { get; init; }

    /// <summary>
    /// Gets how many commands have been read from the input and wait, those between two attempts included. More may
    /// follow unless <see cref="IsInputRead"/>.
    /// </summary>
    public required long Queued { get; init; }

    /// <summary>Gets whether no more can follow: the whole input has been read, or it will be read no further after a stop.</summary>
    public required bool IsInputRead { get; init; }

    /// <summary>Gets how many commands run, or have ended a moment ago and have no result yet.</summary>
    public required int Running { get; init; }

    /// <summary>Gets how many commands have succeeded.</summary>
    public required long Passed { get; init; }

    /// <summary>Gets how many of those needed more than one attempt.</summary>
    public required long Flaky { get; init; }

    /// <summary>Gets how many commands have failed for good.</summary>
    public required long Failed { get; init; }

    /// <summary>
    /// Gets how many commands have been read and will never be started, since the batch has been stopped. They have no result. A
    /// command that a stop meets between two attempts has the result of the last one.
    /// </summary>
    public required long NotStarted { get; init; }

    /// <summary>Gets how many attempts have been or will be repeated.</summary>
    public required long Retried { get; init; }

    /// <summary>Gets how many bytes the ended attempts have written to standard output and error, as far as they came to us.</summary>
    public required long Bytes { get; init; }

    /// <summary>Gets how long the batch has been running.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Gets the commands that have been running longest, at most five, the longest first.</summary>
    public required IReadOnlyList<RunningItem> Longest { get; init; }
}
