using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Parents;

/// <summary>
/// Verifies a program whose own descriptor 0, 1 or 2 is closed. The kernel assigns the lowest free number, so a new
/// pipe gets it.
/// </summary>
[OnlyOn(Systems.Linux, "descriptors")]
[NativeBackend(".NET passes on descriptors without close-on-exec")]
public sealed class ClosedStandardDescriptorsTests
{
    [Theory]
    [InlineData("<&-")]
    [InlineData(">&-")]
    [InlineData("2>&-")]
    [InlineData("<&- >&-")]
    [InlineData("<&- 2>&-")]
    [InlineData(">&- 2>&-")]
    [InlineData("<&- >&- 2>&-")]
    public void Children_OfProgramStartedWithClosedDescriptors_HaveTheirOwn(string redirection) =>
        Guard.Run(() => HostProcess.PlayWith($"exec \"$@\" {redirection}", "closed-descriptors"));

    [Theory]
    [InlineData("0")]
    [InlineData("1")]
    [InlineData("2")]
    [InlineData("0", "1")]
    [InlineData("0", "2")]
    [InlineData("1", "2")]
    [InlineData("0", "1", "2")]
    public void Children_OfProgramThatClosedDescriptors_HaveTheirOwn(params string[] descriptors) =>
        Guard.Run(() => HostProcess.Play("closed-descriptors", descriptors));

    [Theory]
    [InlineData("")]
    [InlineData("<&-")]
    [InlineData(">&- 2>&-")]
    [InlineData("<&- >&- 2>&-")]
    public void Children_OfProgramWithClosedDescriptorsAndACrowdOfOthers_HaveTheirOwn(
        string redirection) => Guard.Run(() =>
        HostProcess.PlayWith($"CROWD_OF_DESCRIPTORS=1 exec \"$@\" {redirection}", "closed-descriptors"));

    [Fact]
    public void Children_OfProgramThatClosedDescriptorsBesideACrowdOfOthers_HaveTheirOwn() => Guard.Run(() =>
        HostProcess.PlayWith("CROWD_OF_DESCRIPTORS=1 exec \"$@\"", "closed-descriptors", "0", "1", "2"));
}
