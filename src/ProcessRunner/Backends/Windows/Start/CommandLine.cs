using System;
using System.Collections.Immutable;
using System.Text;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Start;

/// <summary>
/// Composes command lines. A program on Windows receives one string, and takes it apart itself. Stateless and
/// thread-safe.
/// </summary>
internal static class CommandLine
{
    /// <summary>The number of characters that CreateProcess takes, without the NUL at the end.</summary>
    public const int Longest = 32_766;

    private const string Quoted = " \t\n\v\"";

    /// <summary>
    /// Composes the line from which CommandLineToArgvW and the C runtimes get the same arguments back.
    /// </summary>
    /// <param name="name">The name that the program receives as its own.</param>
    /// <param name="arguments">The arguments.</param>
    /// <exception cref="LaunchException">The line is too long, or cannot express the name.</exception>
    public static string ForProgram(string name, ImmutableArray<string> arguments)
    {
        // The first word ends with the second quote: it knows no escapes.
        if (name.Contains('"'))
        {
            throw new LaunchException(Win32Error.ERROR_FILE_NOT_FOUND, LaunchStep.NotFound, LaunchReason.DoesNotExist);
        }

        StringBuilder line = new();
        line.Append('"').Append(name).Append('"');
        foreach (string argument in arguments)
        {
            line.Append(' ');
            AppendArgument(line, argument);
        }

        ThrowIfLongerThan(Longest, line.Length);
        return line.ToString();
    }

    /// <summary>Throws if a line is too long.</summary>
    /// <exception cref="LaunchException">It is.</exception>
    public static void ThrowIfLongerThan(int longest, int length)
    {
        if (length > longest)
        {
            throw new LaunchException(
                Win32Error.ERROR_FILENAME_EXCED_RANGE, LaunchStep.TooLarge,
                $"its command line has {length} characters, and at most {longest} are possible");
        }
    }

    private static void AppendArgument(StringBuilder line, string argument)
    {
        if (argument.Length > 0 && argument.AsSpan().IndexOfAny(Quoted) < 0)
        {
            line.Append(argument);
            return;
        }

        // Backslashes are literal, except before a quote: there, two stand for one.
        line.Append('"');
        int backslashes = 0;
        foreach (char character in argument)
        {
            if (character == '"')
            {
                line.Append('\\', backslashes + 1);
            }

            backslashes = character == '\\' ? backslashes + 1 : 0;
            line.Append(character);
        }

        line.Append('\\', backslashes).Append('"');
    }
}
