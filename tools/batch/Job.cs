namespace Batch;

/// <summary>Represents an item and its place in the input.</summary>
/// <param name="Sequence">The number of the item, from 1.</param>
/// <param name="Item">The text that replaces the template's placeholders.</param>
internal sealed record Job(long Sequence, string Item);
