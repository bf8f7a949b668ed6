using System;
using System.Runtime.InteropServices;

namespace ProcessRunner.Execution;

/// <summary>Validates the signals that the caller names.</summary>
internal static class SignalArgument
{
    private const int Largest = 64;

    /// <summary>Accepts the names that .NET has and the raw numbers 1 to 64.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such signal.</exception>
    public static PosixSignal Validated(PosixSignal signal, string parameter) =>
        Enum.IsDefined(signal) || (int)signal is >= 1 and <= Largest
            ? signal
            : throw new ArgumentOutOfRangeException(
                parameter, signal, $"A signal is one of PosixSignal or a raw number from 1 to {Largest}.");
}
