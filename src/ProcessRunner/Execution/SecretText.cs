using System;
using System.Collections.Immutable;
using System.Text;

namespace ProcessRunner.Execution;

/// <summary>Hides secrets in texts.</summary>
internal static class SecretText
{
    /// <summary>The text that replaces secrets.</summary>
    public const string Hidden = "***";

    /// <summary>
    /// Replaces each stretch of a text that secrets cover. Secrets that overlap are hidden together, so that no part of
    /// one of them is left.
    /// </summary>
    /// <param name="text">The text.</param>
    /// <param name="first">Secrets to hide.</param>
    /// <param name="second">Further secrets to hide.</param>
    /// <param name="isOutput">Whether the text is output, in which not every secret is hidden.</param>
    public static string Hide(
        string text, ImmutableArray<Secret> first, ImmutableArray<Secret> second, bool isOutput = false)
    {
        bool[]? isHidden = null;
        Mark(text, first, isOutput, ref isHidden);
        Mark(text, second, isOutput, ref isHidden);
        return isHidden is null ? text : Replace(text, isHidden);
    }

    private static void Mark(string text, ImmutableArray<Secret> secrets, bool isOutput, ref bool[]? isHidden)
    {
        foreach (Secret secret in secrets)
        {
            if (isOutput && !secret.HideInOutput)
            {
                continue;
            }

            StringComparison comparison =
                secret.IgnoreCase ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;
            for (int at = text.IndexOf(secret.Value, comparison);
                at >= 0;
                at = text.IndexOf(secret.Value, at + 1, comparison))
            {
                isHidden ??= new bool[text.Length];
                Array.Fill(isHidden, true, at, secret.Value.Length);
            }
        }
    }

    private static string Replace(string text, bool[] isHidden)
    {
        StringBuilder shown = new();
        for (int i = 0; i < text.Length; i++)
        {
            if (!isHidden[i])
            {
                shown.Append(text[i]);
            }
            else if (i == 0 || !isHidden[i - 1])
            {
                shown.Append(Hidden);
            }
        }

        return shown.ToString();
    }
}
