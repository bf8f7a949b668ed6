using System;
using System.Collections.Immutable;
using System.Linq;
using System.Text;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Start;

/// <summary>
/// Composes the command line that runs a batch file. CreateProcess would have cmd.exe run it as well, but cmd.exe takes
/// the line apart by rules of its own: an argument that is quoted for programs can end its quotes and begin another
/// command (CVE-2024-24576). Stateless and thread-safe.
/// </summary>
/// <remarks>
/// <para>A line for cmd.exe cannot contain a line break, so an argument with one is refused.</para>
/// <para>
/// Inside quotes, only a quote and a percent sign have a meaning. A quote is doubled. A percent sign cannot be escaped:
/// it gets <c>%cd:~,%</c> before it, a variable that is always there, of which no character is taken. It keeps what
/// follows from being the name of a variable.
/// </para>
/// </remarks>
internal static class BatchCommandLine
{
    // With extensions, which %cd:~,% needs; without !variables! and the commands of the registry.
    private const string Start = "cmd.exe /e:ON /v:OFF /d /c \"";

    // The number of characters that cmd.exe takes.
    private const int Longest = 8191;

    private const string Harmless = @"#$*+-./:?@\_";

    /// <summary>Composes the line for cmd.exe.</summary>
    /// <param name="path">The full path of the batch file.</param>
    /// <param name="arguments">The arguments.</param>
    /// <exception cref="LaunchException">The line is too long, or cannot express an argument.</exception>
    public static string Compose(string path, ImmutableArray<string> arguments)
    {
        StringBuilder line = new(Start);
        Append(line, path, isQuoted: true);
        foreach (string argument in arguments)
        {
            if (argument.AsSpan().IndexOfAny("\r\n\0") >= 0)
            {
                throw new LaunchException(
                    Win32Error.ERROR_INVALID_PARAMETER, LaunchStep.Other,
                    "it is a batch file, to which an argument with a line break cannot be passed");
            }

            line.Append(' ');
            Append(line, argument, IsToBeQuoted(argument));
        }

        line.Append('"');
        CommandLine.ThrowIfLongerThan(Longest, line.Length);
        return line.ToString();
    }

    // A batch file may put an argument into quotes, which a backslash at the end would escape for a program.
    private static bool IsToBeQuoted(string argument) =>
        argument.Length == 0
        || argument[^1] == '\\'
        || argument.Any(character => char.IsControl(character)
            || char.IsWhiteSpace(character)
            || (char.IsAscii(character) && !char.IsAsciiLetterOrDigit(character) && !Harmless.Contains(character)));

    private static void Append(StringBuilder line, string text, bool isQuoted)
    {
        line.Append(isQuoted ? "\"" : "");
        int backslashes = 0;
        foreach (char character in text)
        {
            if (character == '"')
            {
                // For the program that the batch file passes it to: two backslashes before a quote stand for one.
                line.Append('\\', backslashes).Append('"');
            }
            else if (character == '%')
            {
                line.Append("%%cd:~,");
            }

            backslashes = character == '\\' ? backslashes + 1 : 0;
            line.Append(character);
        }

        if (isQuoted)
        {
            line.Append('\\', backslashes).Append('"');
        }
    }
}
