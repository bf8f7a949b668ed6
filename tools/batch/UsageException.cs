using System;

namespace Batch;

/// <summary>
/// The exception that is thrown for an error that the user can correct. The message names the option or the input and
/// the remedy.
/// </summary>
internal sealed class UsageException(string message) : Exception(message);
