using System;
using ProcessRunner.Backends;

namespace ProcessRunner.Execution;

/// <summary>
/// The end of an engine that still has children: its threads serve them to their end, and end then. So it is with the detached
/// children of one that has been disposed, and with all children of one that nobody has disposed and nobody can reach any more.
/// </summary>
internal static class EngineEnd
{
    /// <summary>Has a thread of its own wait for the children and end the rest. Waits for nothing. Nobody may start a child any more.</summary>
    /// <param name="parts">What is to end.</param>
    /// <param name="interrupts">What ends with it, or null.</param>
    /// <exception cref="OutOfMemoryException">There is no thread for it; nothing has changed.</exception>
    public static void Begin(EngineParts parts, InterruptForwarder? interrupts) =>
        OwnThread.Start("ProcessRunner dispose", () => EndAfterChildren(parts, interrupts));

    private static void EndAfterChildren(EngineParts parts, InterruptForwarder? interrupts)
    {
        MemoryRetry.Do(parts, static parts => AwaitChildren(parts));
        interrupts?.Dispose();
        parts.Backend.CloseForStarts();
        parts.Dispose();
    }

    private static void AwaitChildren(EngineParts parts)
    {
        while (parts.Lives is { Length: > 0 } children)
        {
            Array.ForEach(children, static child => child.Completion.Ended.Wait());
        }
    }
}
