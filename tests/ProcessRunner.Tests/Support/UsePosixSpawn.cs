using System;
using System.Runtime.CompilerServices;

namespace ProcessRunner.Tests.Support;

/// <summary>With the variable <c>USE_POSIX_SPAWN</c> the tests hold the other way to start a child to the same.</summary>
internal static class UsePosixSpawn
{
    [ModuleInitializer]
    internal static void Switch() =>
        AppContext.SetSwitch("ProcessRunner.UsePosixSpawn", Environment.GetEnvironmentVariable("USE_POSIX_SPAWN") is not null);
}
