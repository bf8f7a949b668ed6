using System;
using System.Runtime.CompilerServices;

namespace ProcessRunner.Tests.Support;

/// <summary>
/// Applies the tests to the other way to start a child if the variable <c>USE_POSIX_SPAWN</c> is set, and to the
/// portable backend if the variable <c>USE_PORTABLE_BACKEND</c> is set.
/// </summary>
internal static class Switches
{
    [ModuleInitializer]
    internal static void Set()
    {
        Set("ProcessRunner.UsePosixSpawn", "USE_POSIX_SPAWN");
        Set("ProcessRunner.UsePortableBackend", "USE_PORTABLE_BACKEND");
    }

    private static void Set(string name, string variable) =>
        AppContext.SetSwitch(name, Environment.GetEnvironmentVariable(variable) is not null);
}
