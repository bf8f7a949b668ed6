using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace ProcessRunner;

/// <summary>Represents the progress of a batch at one moment. Immutable.</summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed class BatchProgress
{
    /// <summary>
    /// Initializes the progress of a batch that has done nothing yet, for tests. The properties can be set.
    /// </summary>
    [SetsRequiredMembers]
    public BatchProgress() => Longest = [];

    /// <summary>
    /// Gets how many commands have been read from the input, in all repetitions. At any moment this is the sum of
    /// <see cref="Queued"/>, <see cref="Running"/>, <see cref="Passed"/>, <see cref="Failed"/> and
    /// <see cref="NotStarted"/>.
    /// </summary>
    public required long Read { get; init; }

    /// <summary>
    /// Gets how many commands have been read from the input and wait, including those between two attempts. More may
    /// follow unless <see cref="IsInputRead"/> is true.
    /// </summary>
    public required long Queued { get; init; }

    /// <summary>
    /// Gets whether no further command can follow, because the whole input has been read or a stop has ended its
    /// reading.
    /// </summary>
    public required bool IsInputRead { get; init; }

    /// <summary>Gets how many commands are running, or have just ended and have no result yet.</summary>
    public required int Running { get; init; }

    /// <summary>Gets how many commands have succeeded.</summary>
    public required long Passed { get; init; }

    /// <summary>Gets how many of the <see cref="Passed"/> commands needed more than one attempt.</summary>
    public required long Flaky { get; init; }

    /// <summary>Gets how many commands have failed for good.</summary>
    public required long Failed { get; init; }

    /// <summary>
    /// Gets how many commands have been read and will never start because the batch has been stopped. They have no
    /// result. A command that a stop finds between two attempts is not among them: its result is that of the last
    /// attempt.
    /// </summary>
    public required long NotStarted { get; init; }

    /// <summary>Gets how many attempts have been repeated or will be.</summary>
    public required long Retried { get; init; }

    /// <summary>
    /// Gets how many bytes the ended attempts have written to standard output and error through this process.
    /// </summary>
    public required long Bytes { get; init; }

    /// <summary>Gets how long the batch has been running.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Gets the commands that have been running longest, at most five, the longest first.</summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public required IReadOnlyList<RunningItem> Longest
    {
        get;
        init => field = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>Returns the counts.</summary>
    public override string ToString() =>
        $"{Passed} passed, {Failed} failed, {Running} running, {Queued} queued, {NotStarted} not started";
}
