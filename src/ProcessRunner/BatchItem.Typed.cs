using System.Diagnostics;

namespace ProcessRunner;

/// <summary>
/// Describes one command of a batch with a tag of the caller's type, which its <see cref="BatchResult{T}"/> carries.
/// Immutable.
/// </summary>
/// <typeparam name="T">The type of the tag.</typeparam>
[DebuggerDisplay("{ToString(),nq}")]
public sealed record BatchItem<T> : BatchItem
{
    /// <summary>Initializes an item from a command and a tag.</summary>
    /// <param name="command">The command to run.</param>
    /// <param name="tag">The object that the command stands for, such as a test or a file.</param>
    /// <exception cref="System.ArgumentNullException">The command is null.</exception>
    public BatchItem(ProcessCommand command, T tag)
        : base(command)
    {
        Tag = tag;
    }

    /// <summary>Gets the object that the command stands for.</summary>
    public new T Tag
    {
        get => (T)base.Tag!;
        init => base.Tag = value;
    }
}
