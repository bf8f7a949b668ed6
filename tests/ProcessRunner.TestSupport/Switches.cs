using System;

namespace ProcessRunner.TestSupport;

/// <summary>
/// Applies the tests to the other way to start a child if the variable <c>USE_POSIX_SPAWN</c> is 1, and to the
/// portable backend if the variable <c>USE_PORTABLE_BACKEND</c> is 1. With 0, or without the variables, the tests take
/// what <see cref="EngineBackend.Auto"/> takes.
/// </summary>
public static class Switches
{
    /// <summary>Sets the switches, before the first use of the library.</summary>
    public static void Set()
    {
        Set("ProcessRunner.UsePosixSpawn", "USE_POSIX_SPAWN");
        Set("ProcessRunner.UsePortableBackend", "USE_PORTABLE_BACKEND");
    }

    private static void Set(string name, string variable)
    {
        if (Environment.GetEnvironmentVariable(variable) is { Length: > 0 } value)
        {
            AppContext.SetSwitch(name, value != "0");
        }
    }
}
