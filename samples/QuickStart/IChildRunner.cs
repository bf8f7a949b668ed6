namespace QuickStart;

/// <summary>Represents a way to run a child to its end, from many threads at once.</summary>
internal interface IChildRunner
{
    /// <summary>Gets the name in the table.</summary>
    string Name { get; }

    /// <summary>Runs one child and blocks until it has ended and its output has been read.</summary>
    ChildReport RunOne();
}
