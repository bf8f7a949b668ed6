using System;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>
/// Ends an engine that still has children: its threads serve the children to their end, and then end themselves. This
/// applies to the detached children of a disposed engine, and to all children of an engine that was not disposed and is
/// no longer reachable.
/// </summary>
internal static class EngineEnd
{
    /// <summary>
    /// Starts a thread that waits for the children and then disposes the rest. Does not wait. No child may be started
    /// after this call.
    /// </summary>
    /// <param name="parts">The parts to dispose.</param>
    /// <param name="interrupts">The forwarder to dispose with them, or null.</param>
    /// <exception cref="OutOfMemoryException">The thread cannot be created; nothing has changed.</exception>
    public static void Begin(EngineParts parts, InterruptForwarder? interrupts) =>
        OwnThread.Start("ProcessRunner dispose", () => EndAfterChildren(parts, interrupts));

    private static void EndAfterChildren(EngineParts parts, InterruptForwarder? interrupts)
    {
        MemoryRetry.Do(parts, static parts => AwaitChildren(parts));
        interrupts?.Dispose();
        parts.Dispose();
    }

    private static void AwaitChildren(EngineParts parts)
    {
        while (parts.Lives.ToArray() is { Length: > 0 } children)
        {
            Array.ForEach(children, static child => child.Completion.Ended.Wait());
        }
    }
}
