namespace ProcessRunner.TestChild;

/// <summary>A place in the command line, which moves on as words take their values.</summary>
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
