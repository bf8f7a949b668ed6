namespace Batch;

/// <summary>One item and its place in the input.</summary>
/// <param name="Sequence">From 1.</param>
/// <param name="Item">The text that the template's placeholders stand for.</param>
internal sealed record Job(long Sequence, string Item);
