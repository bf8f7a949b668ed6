using System;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Tests.Simulation;

/// <summary>Represents an event that the world may choose as the next one, once it is due.</summary>
/// <param name="owner">The subject of the event, for the log.</param>
/// <param name="name">What happens, for the log.</param>
/// <param name="action">The event.</param>
/// <param name="isOnReactor">Whether a reactor's thread handles the event.</param>
internal sealed class Happening(object owner, string name, Action action, bool isOnReactor = false)
{
    public Action Action => action;

    public bool IsOnReactor => isOnReactor;

    /// <summary>Gets or sets the instant from which on the event may come.</summary>
    public long Due { get; set; } = MonotonicClock.Never;

    /// <summary>Gets or sets the index among the events of the world, or -1.</summary>
    public int Index { get; set; } = -1;

    public override string ToString() => $"{owner}: {name}";
}
