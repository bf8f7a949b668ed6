using System;
using System.Runtime.InteropServices;

namespace ProcessRunner.Backends;

/// <summary>Signals that this library sends by itself, and what a signal of the caller's may be.</summary>
internal static class SignalNumber
{
    /// <summary>SIGKILL, which is 9 on every system there is; .NET has no name for it, and takes a raw number.</summary>
    public const PosixSignal Kill = (PosixSignal)9;

    /// <summary>Wakes a suspended child up for the signal that waits for it.</summary>
#pragma warning disable CA1416 // Only a backend of a system that has the signal is asked to send it.
    public const PosixSignal Continue = PosixSignal.SIGCONT;
#pragma warning restore CA1416

    private const int Largest = 64;

    /// <summary>Accepts the names that .NET has and the raw numbers 1 to 64.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such signal.</exception>
    public static PosixSignal Validated(PosixSignal signal, string parameter) =>
        Enum.IsDefined(signal) || (int)signal is >= 1 and <= Largest
            ? signal
            : throw new ArgumentOutOfRangeException(
                parameter, signal, $"A signal is one of PosixSignal or a raw number from 1 to {Largest}.");
}
