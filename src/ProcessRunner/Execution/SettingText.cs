using System;
using System.Text;

namespace ProcessRunner.Execution;

/// <summary>Writes the settings of an object for its reader.</summary>
internal static class SettingText
{
    /// <summary>Joins a text and those that follow it. A null text is skipped.</summary>
    public static string Of(string first, params ReadOnlySpan<string?> others)
    {
        StringBuilder text = new(first);
        foreach (string? other in others)
        {
            if (other is not null)
            {
                text.Append(", ").Append(other);
            }
        }

        return text.ToString();
    }
}
