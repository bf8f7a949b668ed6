using System.Globalization;
using System.IO;
using ProcessRunner.Tests.Life;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Faults;

/// <summary>Verifies that a signal that ends a host ends its children although threads were short.</summary>
[Collection(Alone.Name)]
[OnlyOn(Systems.Linux, "the faults are those of the Linux backend")]
[NativeBackend("the faults are those of the Linux backend")]
public sealed class EndingSignalTests
{
    [Fact]
    public void Host_ThatGetsTheThreadLater_TakesItsChildren() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        using HostWithTrace host = new("host-short-of-a-thread", directory.At("id"));
        HostWithTrace.WaitFor(directory.At("id"));
        int child = int.Parse(File.ReadAllText(directory.At("id")), CultureInfo.InvariantCulture);
        _ = NativeMethods.Kill(host.Child.ProcessId, NativeMethods.SIGTERM);
        host.Child.Wait();
        Eventually.Is(() => !ProcFs.IsAlive(child), "the child ends with its host");
    });
}
