using System.Diagnostics;

namespace ProcessRunner;

/// <summary>
/// Represents a child that has ended without any code looking at its result
/// (<see cref="ProcessEngineOptions.ForgottenChild"/>). Immutable.
/// </summary>
/// <param name="Result">The result.</param>
/// <param name="StartStack">
/// The stack of its start, from the code that called the library, with
/// <see cref="ProcessEngineOptions.KeepStartStacks"/>; otherwise null.
/// </param>
[DebuggerDisplay("{ToString(),nq}")]
public sealed record ForgottenChild(ProcessResult Result, string? StartStack)
{
    /// <summary>Returns the command and its outcome, and the stack.</summary>
    public override string ToString() => StartStack is null ? $"{Result}" : $"{Result}\n{StartStack}";
}
