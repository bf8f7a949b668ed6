using System.Collections.Generic;
using System.Linq;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Execution.Batches;

namespace ProcessRunner.Execution.Telemetry;

/// <summary>
/// Holds what the instruments of this process observe: the parts of all engines, and all batches that run. Thread-safe.
/// </summary>
/// <remarks>
/// The list belongs to the process, because a meter does. <c>s_gate</c> guards it, and no other lock is acquired inside
/// it. It does not keep an engine alive: the parts do not reference their engine, which disposes them.
/// </remarks>
internal static class EngineRegistry
{
    private static readonly object s_gate = new();
    private static readonly List<EngineParts> s_engines = [];
    private static readonly List<BatchExecution> s_batches = [];

    /// <summary>Gets the number of children that run or are being started.</summary>
    public static long RunningChildren => Copy(s_engines).Sum(static engine => engine.Lives.Count);

    /// <summary>Gets the number of commands that batches have read and not yet started.</summary>
    public static long QueuedCommands => Copy(s_batches).Sum(static batch => batch.Progress().Queued);

    /// <summary>Gets the memory that captures occupy, in bytes.</summary>
    public static long CaptureMemory => Copy(s_engines).Sum(static engine => engine.Streams.Segments.Budget.Used);

    public static void Add(EngineParts engine) => Add(s_engines, engine);

    public static void Remove(EngineParts engine) => Remove(s_engines, engine);

    public static void Add(BatchExecution batch) => Add(s_batches, batch);

    public static void Remove(BatchExecution batch) => Remove(s_batches, batch);

    private static void Add<T>(List<T> list, T item)
    {
        using (Uninterruptible.Lock(s_gate))
        {
            list.Add(item);
        }
    }

    private static void Remove<T>(List<T> list, T item)
    {
        using (Uninterruptible.Lock(s_gate))
        {
            list.Remove(item);
        }
    }

    private static T[] Copy<T>(List<T> list)
    {
        using (Uninterruptible.Lock(s_gate))
        {
            return [.. list];
        }
    }
}
