using System.Diagnostics;

namespace ProcessRunner;

/// <summary>
/// Represents an argument of a command: a string, or a <see cref="ProcessRunner.Secret"/> that no text shows. Both
/// convert to it, so that a call can mix them:
/// <c>new ProcessCommand("curl", "--oauth2-bearer", new Secret(token), "https://example.org")</c>. Immutable.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public readonly record struct ProcessArgument
{
    private ProcessArgument(string? text, Secret? secret)
    {
        Text = text;
        Secret = secret;
    }

    internal string? Text { get; }

    internal Secret? Secret { get; }

    /// <summary>Creates an argument from a string.</summary>
    /// <param name="text">The string.</param>
    public static implicit operator ProcessArgument(string text) => new(text, secret: null);

    /// <summary>Creates an argument from a secret, which the child receives unchanged.</summary>
    /// <param name="secret">The secret.</param>
    public static implicit operator ProcessArgument(Secret secret) => new(secret?.Value, secret);

    /// <summary>Returns the string, or <c>***</c> for a secret.</summary>
    public override string ToString() => Secret?.ToString() ?? Text ?? "";
}
