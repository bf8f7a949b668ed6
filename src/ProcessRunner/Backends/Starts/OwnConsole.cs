using System;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Primitives;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Starts;

/// <summary>
/// Represents the console of this process. A process has one console at a time, and a request to a child with a console
/// of its own exchanges it for a moment.
/// </summary>
/// <remarks>
/// <see cref="Gate"/> guards the console and the standard handles, which are states of the whole process: one lock
/// serves all engines. It is the innermost lock.
/// </remarks>
[SupportedOSPlatform("windows")]
internal static unsafe class OwnConsole
{
    private const int FirstRoom = 64;

    /// <summary>Gets the lock of whoever looks at the console, or exchanges it.</summary>
    public static object Gate { get; } = new();

    /// <summary>Returns whether this process has a console, visible or not.</summary>
    public static bool Exists()
    {
        using (Uninterruptible.Lock(Gate))
        {
            uint processId;
            return Kernel32.GetConsoleProcessList(&processId, 1) != 0;
        }
    }

    /// <summary>Returns a standard handle of this process; zero or a closed handle if there is none.</summary>
    public static nint StandardHandle(uint standard)
    {
        using (Uninterruptible.Lock(Gate))
        {
            return Kernel32.GetStdHandle(standard);
        }
    }

    /// <summary>Returns the ids of the processes at the console; none without a console. Requires the gate.</summary>
    public static ReadOnlySpan<uint> Processes()
    {
        for (uint room = FirstRoom; ; room *= 2)
        {
            uint[] list = new uint[room];
            fixed (uint* first = list)
            {
                uint count = Kernel32.GetConsoleProcessList(first, room);
                if (count <= room)
                {
                    return list.AsSpan(0, (int)count);
                }
            }
        }
    }
}
