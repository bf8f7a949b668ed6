using System;
using System.Globalization;

namespace ProcessRunner.TestChild;

/// <summary>
/// Represents a word of the command line with its values. A word is parsed first, and runs only when the whole line is
/// valid.
/// </summary>
internal abstract class Word
{
    protected const long LongestDelay = int.MaxValue;

    public abstract string Name { get; }

    /// <summary>Gets the names of the values for the usage, or an empty string.</summary>
    public virtual string Values => "";

    public abstract string Description { get; }

    protected virtual int ValueCount => 0;

    public virtual void Read(ArgumentCursor cursor)
    {
        string[] values = new string[ValueCount];
        for (int index = 0; index < values.Length; index++)
        {
            values[index] = !cursor.AtEnd
                ? cursor.Take()
                : throw new UsageException($"'{Name}' needs {Values}, but the command line ends");
        }

        Accept(values);
    }

    public abstract void Run();

    /// <summary>Checks and stores the <see cref="ValueCount"/> values.</summary>
    protected virtual void Accept(ReadOnlySpan<string> values)
    {
    }

    protected long Number(string value, string text, long minimum, long maximum) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long number)
        && number >= minimum && number <= maximum
            ? number
            : throw BadValue($"{value} is a number from {minimum} to {maximum}", text);

    protected UsageException BadValue(string expected, string text) => new($"'{Name}': {expected}, not '{text}'");
}
