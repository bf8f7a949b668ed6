namespace PTest.Units;

/// <summary>Specifies which tests share a process.</summary>
internal enum IsolationKind
{
    /// <summary>As many collections as make the starts of processes cheap.</summary>
    Adaptive,

    /// <summary>None.</summary>
    Test,

    /// <summary>Those of a class.</summary>
    Class,

    /// <summary>Those that share fixtures.</summary>
    Collection,

    /// <summary>All of an assembly, as its framework runs them.</summary>
    Assembly,

    /// <summary>Those of a number of collections.</summary>
    Chunk,
}
