namespace ProcessRunner.TestChild;

/// <summary>Represents a position in the command line. Words that take their values advance it.</summary>
internal sealed class ArgumentCursor(string[] arguments)
{
    public int Position { get; private set; }

    public bool AtEnd => Position == arguments.Length;

    public string Peek() => arguments[Position];

    public string Take() => arguments[Position++];

    public string[] TakeRest()
    {
        string[] rest = arguments[Position..];
        Position = arguments.Length;
        return rest;
    }

    public string[] Between(int start, int end) => arguments[start..end];
}
