using System.IO;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Streams;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Backends.Portable;

/// <summary>Verifies the files that this process writes for the runs of the portable backend.</summary>
[Collection(Alone.Name)]
public sealed class PortableFileTests
{
    [Fact]
    [OnlyOn(Systems.Linux, "RLIMIT_FSIZE and a scenario of the test host")]
    public void File_BeyondTheLimitOfFileSizes_IsAnErrorOfThatRunAlone() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        HostProcess.Play("portable-file-size-limit", directory);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the descriptors in /proc")]
    public void SpillFile_IsForItsOwnerAlone() => Guard.Run(() =>
    {
        using ProcessEngine engine = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
        string[] others = [.. StreamingSupport.SpillDescriptors];
        CapturedOutput output = (TestPrograms.Shell("head -c 100000 /dev/zero") with
        {
            StandardOutput = OutputTarget.Capture(1000, CapturePolicy.SpillToFile),
        }).Run(engine).StandardOutput;
        output.IsSpilled.Should().BeTrue();
        string descriptor = StreamingSupport.SpillDescriptors.Except(others).Should().ContainSingle().Subject;
        File.GetUnixFileMode(descriptor).Should().Be(UnixFileMode.UserRead | UnixFileMode.UserWrite);
        output.Release();
    });
}
