using System;
using System.Diagnostics;

namespace ProcessRunner;

/// <summary>
/// Represents a text that the library never shows. Wherever it occurs in a text that the library makes (the
/// <c>ToString</c> of commands, results and everything else, the message of every exception, traces and telemetry), it
/// is replaced by <c>***</c>. The child receives it unchanged. Immutable.
/// </summary>
/// <remarks>
/// The properties of a command, such as <see cref="ProcessCommand.Arguments"/>, are data and keep the text. So does the
/// output of the child.
/// </remarks>
[DebuggerDisplay("***")]
public sealed record Secret
{
    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    private readonly string _value;

    /// <summary>Initializes a secret.</summary>
    /// <param name="value">The text to hide.</param>
    /// <exception cref="ArgumentException">The text is null or empty.</exception>
    public Secret(string value)
    {
        ArgumentException.ThrowIfNullOrEmpty(value);
        _value = value;
    }

    /// <summary>Gets whether the text is also hidden if its letters have another case.</summary>
    /// <value>False by default: only the exact text is hidden. The comparison is ordinal in both cases.</value>
    public bool IgnoreCase { get; init; }

    /// <summary>
    /// Gets whether the text is also hidden in the output of the child where a message shows it, as that of
    /// <see cref="ExitCodeException"/> does.
    /// </summary>
    /// <value>False by default. The captured output itself never changes.</value>
    public bool HideInOutput { get; init; }

    internal string Value => _value;

    /// <summary>Creates a secret from a text that is hidden with its exact case.</summary>
    /// <param name="value">The text to hide.</param>
    /// <exception cref="ArgumentException">The text is null or empty.</exception>
    public static implicit operator Secret(string value) => new(value);

    /// <summary>Returns <c>***</c>.</summary>
    public override string ToString() => "***";
}
