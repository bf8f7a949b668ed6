using System;
using System.Linq;

namespace ProcessRunner;

/// <summary>
/// The exception that <see cref="ProcessResult.EnsureSuccess"/> throws for a run that did not succeed.
/// </summary>
public sealed class ExitCodeException : Exception
{
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
        string[] last =
        [
            .. result.StandardError.LenientLines().TakeLast(ErrorLines).Select(result.Command.HideInOutput),
        ];
        return last.Length == 0
            ? result.ToString()
            : $"{result}. The last lines of its standard error:{System.Environment.NewLine}"
                + string.Join(System.Environment.NewLine, last);
    }
}
