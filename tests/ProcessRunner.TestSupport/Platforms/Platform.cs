using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace ProcessRunner.TestSupport.Platforms;

/// <summary>Represents an operating system with one of the backends.</summary>
public sealed record Platform(string Name, Systems System, bool IsNative)
{
    /// <summary>Gets all platforms, in the order of the columns of the platform table.</summary>
    public static IReadOnlyList<Platform> All { get; } =
    [
        new("Linux", Systems.Linux, IsNative: true),
        new("Linux, portable", Systems.Linux, IsNative: false),
        new("macOS", Systems.MacOS, IsNative: false),
        new("Windows", Systems.Windows, IsNative: true),
        new("Windows, portable", Systems.Windows, IsNative: false),
    ];

    /// <summary>Gets the platform on which the tests run.</summary>
    public static Platform Current { get; } = new(
        "this one",
        OperatingSystem.IsWindows() ? Systems.Windows
            : OperatingSystem.IsLinux() ? Systems.Linux
            : OperatingSystem.IsMacOS() ? Systems.MacOS
            : Systems.None,
        new ProcessEngine().Backend == EngineBackend.Native)
    {
        IsWine = OperatingSystem.IsWindows()
            && NativeLibrary.TryGetExport(NativeLibrary.Load("ntdll.dll"), "wine_get_version", out _),
    };

    /// <summary>Gets whether Wine plays Windows. No column of the table is that of Wine.</summary>
    public bool IsWine { get; init; }
}
