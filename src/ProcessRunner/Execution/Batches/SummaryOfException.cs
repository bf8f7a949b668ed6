using System;
using System.Runtime.CompilerServices;

namespace ProcessRunner.Execution.Batches;

/// <summary>Associates the exception that ended a batch with the summary of the batch. Thread-safe.</summary>
internal static class SummaryOfException
{
    private static readonly ConditionalWeakTable<Exception, BatchSummary> s_summaries = [];

    /// <summary>Returns the summary of the last batch that threw an exception, or null.</summary>
    public static BatchSummary? Find(Exception exception) =>
        s_summaries.TryGetValue(exception, out BatchSummary? summary) ? summary : null;

    public static void Add(Exception exception, BatchSummary summary) =>
        s_summaries.AddOrUpdate(exception, summary);
}
