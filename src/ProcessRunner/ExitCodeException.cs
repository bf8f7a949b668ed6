using System;
using System.Linq;
using ProcessRunner.Streams;

namespace ProcessRunner;

/// <summary>
/// The exception that <see cref="ProcessResult.EnsureSuccess"/> throws for a run that did not succeed.
/// </summary>
public sealed class ExitCodeException : Exception
{
    private const int ErrorLines = 10;
    private const int MostShown = 64 * 1024;

    /// <summary>Initializes an exception for a result.</summary>
    /// <param name="result">The result of the run.</param>
    /// <exception cref="ArgumentNullException">The result is null.</exception>
    public ExitCodeException(ProcessResult result)
        : base(Describe(result)) => Result = result;

    /// <summary>Gets the result of the run.</summary>
    public ProcessResult Result { get; }

    private static string Describe(ProcessResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        string[] last = [.. TextDecoder.Lines(Shown(result)).TakeLast(ErrorLines)];
        return last.Length == 0
            ? result.ToString()
            : $"{result}. The last lines of its standard error:{System.Environment.NewLine}"
                + string.Join(System.Environment.NewLine, last);
    }

    // A secret can have several lines, so it is hidden before the lines are counted. One that begins before the text is
    // far from the lines that are shown.
    private static string Shown(ProcessResult result)
    {
        try
        {
            string text = result.Command.HideInOutput(result.StandardError.LenientTail(2 * MostShown));
            return text[Math.Max(0, text.Length - MostShown)..];
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            // It has been released, its temporary file cannot be read, or the user's encoding fails. The message does
            // without it.
            return "";
        }
    }
}
