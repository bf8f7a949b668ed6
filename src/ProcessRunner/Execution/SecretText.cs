using System;
using System.Collections.Immutable;
using System.Text;
using ProcessRunner.Streams;

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
    public static string Hide(string text, ImmutableArray<Secret> first, ImmutableArray<Secret> second) =>
        Hide(new TextExcerpt(text, IsCutBefore: false, IsCutBehind: false), first, second, isOutput: false);

    /// <summary>
    /// Hides secrets in output, in which not every secret is hidden. Where the output was cut, a part of a secret is
    /// hidden as well.
    /// </summary>
    /// <inheritdoc cref="Hide(string, ImmutableArray{Secret}, ImmutableArray{Secret})"/>
    public static string HideInOutput(
        TextExcerpt text, ImmutableArray<Secret> first, ImmutableArray<Secret> second) =>
        Hide(text, first, second, isOutput: true);

    private static string Hide(
        TextExcerpt excerpt, ImmutableArray<Secret> first, ImmutableArray<Secret> second, bool isOutput)
    {
        bool[]? isHidden = null;
        Mark(excerpt, first, isOutput, ref isHidden);
        Mark(excerpt, second, isOutput, ref isHidden);
        return isHidden is null ? excerpt.Text : Replace(excerpt.Text, isHidden);
    }

    private static void Mark(
        TextExcerpt excerpt, ImmutableArray<Secret> secrets, bool isOutput, ref bool[]? isHidden)
    {
        string text = excerpt.Text;
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
                Mark(text, at, secret.Value.Length, ref isHidden);
            }

            int rest = excerpt.IsCutBefore ? RestOf(secret.Value, text, comparison) : 0;
            Mark(text, 0, rest, ref isHidden);
            int begun = excerpt.IsCutBehind ? BeginningOf(secret.Value, text, comparison) : 0;
            Mark(text, text.Length - begun, begun, ref isHidden);
        }
    }

    private static void Mark(string text, int at, int length, ref bool[]? isHidden)
    {
        if (length > 0)
        {
            isHidden ??= new bool[text.Length];
            Array.Fill(isHidden, true, at, length);
        }
    }

    // Returns how many characters at the beginning of a text are the end of a secret.
    private static int RestOf(string secret, string text, StringComparison comparison)
    {
        int length = Math.Min(secret.Length, text.Length);
        while (!text.AsSpan(0, length).Equals(secret.AsSpan(secret.Length - length), comparison))
        {
            length--;
        }

        return length;
    }

    // Returns how many characters at the end of a text are the beginning of a secret.
    private static int BeginningOf(string secret, string text, StringComparison comparison)
    {
        int length = Math.Min(secret.Length, text.Length);
        while (!text.AsSpan(text.Length - length).Equals(secret.AsSpan(0, length), comparison))
        {
            length--;
        }

        return length;
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
