using System;

namespace Batch;

/// <summary>What the user can put right: the message names the option or the input, and says what to do.</summary>
internal sealed class UsageException(string message) : Exception(message);
