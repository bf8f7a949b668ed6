using System;

namespace ProcessRunner.TestChild;

/// <summary>The exception that is thrown for an invalid command line. No word has run.</summary>
internal sealed class UsageException(string message) : Exception(message);
