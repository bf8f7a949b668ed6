using System.Runtime.InteropServices;

namespace ProcessRunner.Interop;

/// <summary>
/// Represents a number of the C interface whose value depends on the processor. It holds the values for both
/// processors, so that a test can verify either of them on any machine.
/// </summary>
/// <param name="x64">The value on x64.</param>
/// <param name="arm64">The value on arm64.</param>
internal readonly struct PerArchitecture(int x64, int arm64)
{
    /// <summary>Gets the value on x64.</summary>
    public int X64 { get; } = x64;

    /// <summary>Gets the value on arm64.</summary>
    public int Arm64 { get; } = arm64;

    /// <summary>Gets the value on the processor of this process.</summary>
    public static implicit operator int(PerArchitecture number) =>
        RuntimeInformation.ProcessArchitecture == Architecture.X64 ? number.X64 : number.Arm64;
}
