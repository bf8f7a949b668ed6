using System;
using System.Collections.Generic;

namespace ProcessRunner.Execution;

/// <summary>Holds the parts of a result that few results have. Immutable.</summary>
internal sealed record ResultExtras
{
    /// <summary>Gets the descendants that were alive at the last look.</summary>
    public IReadOnlyList<SurvivingProcess> Survivors { get; init; } = [];

    /// <summary>Gets the descendants that were ended after the exit.</summary>
    public IReadOnlyList<SurvivingProcess> Killed { get; init; } = [];

    /// <summary>Gets the kept parts of the channels.</summary>
    public IReadOnlyDictionary<int, CapturedOutput>? Channels { get; init; }

    /// <summary>Gets the limit that passed, if it is not that of the command.</summary>
    public TimeSpan? Limit { get; init; }
}
