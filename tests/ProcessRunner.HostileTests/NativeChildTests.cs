using System;
using System.Runtime.InteropServices;
using Xunit;

namespace ProcessRunner.HostileTests;

// Its child inherits the environment with which this process began, which .NET's own variables cannot change.
public sealed partial class NativeChildTests
{
    [Fact]
    public void StartsItsOwnProgramByNativeCode()
    {
        Assert.True(State.IsFirst("native-child"), "the test that runs has started this process");
        Assert.Equal(
            0, Shell($"exec '{Environment.ProcessPath}' exec '{typeof(NativeChildTests).Assembly.Location}'"));
    }

    [LibraryImport("libc", EntryPoint = "system", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Shell(string command);
}
