using System;

namespace PTest;

/// <summary>The error of a user: a wrong command line, a target without tests, a build that fails.</summary>
internal sealed class UsageException(string message) : Exception(message);
