using System;

namespace ProcessRunner.TestChild;

/// <summary>The exception that is thrown when a word fails. The program ends with <see cref="ExitCode"/>.</summary>
internal sealed class WordFailedException(string message, int exitCode = ExitCodes.Failure) : Exception(message)
{
    public int ExitCode { get; } = exitCode;
}
