namespace ProcessRunner.Streams;

/// <summary>Represents a part of a text.</summary>
/// <param name="Text">The part.</param>
/// <param name="IsCutBefore">Whether the text was cut at its beginning.</param>
/// <param name="IsCutBehind">Whether the text was cut at its end.</param>
internal readonly record struct TextExcerpt(string Text, bool IsCutBefore, bool IsCutBehind);
