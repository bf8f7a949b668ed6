using System;

namespace ProcessRunner.TestChild;

/// <summary>The command line is wrong; nothing of it has run.</summary>
internal sealed class UsageException(string message) : Exception(message);
