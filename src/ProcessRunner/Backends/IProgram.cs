using System.Collections.Immutable;

namespace ProcessRunner.Backends;

/// <summary>Describes a program to execute. Immutable.</summary>
internal interface IProgram
{
    /// <summary>
    /// Gets the program: a path, or a name that the backend looks up.
    /// </summary>
    string FileName { get; }

    /// <summary>Gets the arguments without the program's name.</summary>
    ImmutableArray<string> Arguments { get; }

    /// <summary>Gets the name that the program receives as its own; null for <see cref="FileName"/>.</summary>
    string? ArgumentZero { get; }

    /// <summary>Gets the directory in which the child starts; null for the caller's.</summary>
    string? WorkingDirectory { get; }
}
