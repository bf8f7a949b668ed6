using System;
using System.Runtime.CompilerServices;

namespace ProcessRunner.Tests.Support;

/// <summary>
/// Applies the tests to the other way to start a child if the variable <c>USE_POSIX_SPAWN</c> is set.
/// </summary>
internal static class UsePosixSpawn
{
    [ModuleInitializer]
    internal static void Switch() =>
        AppContext.SetSwitch(
            "ProcessRunner.UsePosixSpawn", Environment.GetEnvironmentVariable("USE_POSIX_SPAWN") is not null);
}
