using System;
using System.Linq;
using ProcessRunner.Streams;

namespace ProcessRunner;

/// <summary>
/// The exception that <see cref="ProcessResult.EnsureSuccess"/> throws for a run that did not succeed. Its message has
/// the last ten lines of standard error, from its last 64 KiB, if they can still be read.
/// </summary>
public sealed class ExitCodeException : Exception
{
    // Nobody reads more in a message.
    internal const int ErrorBytes = 64 * 1024;

    private const int ErrorLines = 10;

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
        TextExcerpt end = result.StandardError.End(ErrorBytes);

        // The whole text first: a secret can have several lines.
        string shown = (end.IsCutBefore ? "…" : "") + result.Command.HideInOutput(end);
        string[] last = [.. TextDecoder.Lines(shown).TakeLast(ErrorLines)];
        return last.Length == 0
            ? result.ToString()
            : $"{result}. The last lines of its standard error:{System.Environment.NewLine}"
                + string.Join(System.Environment.NewLine, last);
    }
}
