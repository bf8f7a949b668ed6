using System;
using System.Runtime.InteropServices;

namespace ProcessRunner.Backends;

/// <summary>Provides the signals that this library sends by itself, and validates those of the caller.</summary>
internal static class SignalNumber
{
    /// <summary>SIGKILL, which is 9 on every system. .NET has no name for it, and accepts a raw number.</summary>
    public const PosixSignal Kill = (PosixSignal)9;

    /// <summary>SIGCONT, which wakes a suspended child for its pending signal.</summary>
#pragma warning disable CA1416 // Only the backend of a system that has the signal sends it.
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
