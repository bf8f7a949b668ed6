using System;

namespace ProcessRunner.TestChild;

/// <summary>A word could not do its work; the program ends with <see cref="ExitCode"/>.</summary>
internal sealed class WordFailedException(string message, int exitCode = ExitCodes.Failure) : Exception(message)
{
    public int ExitCode { get; } = exitCode;
}
