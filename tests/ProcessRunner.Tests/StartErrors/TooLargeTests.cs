using System.Collections.Generic;
using System.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.StartErrors;

public sealed class TooLargeTests
{
    // MAX_ARG_STRLEN of the kernel: 32 pages, including the final NUL.
    private const int Largest = (128 * 1024) - 1;

    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Start_WithArgumentOf128KiB_IsTooLarge() => Guard.Run(() =>
    {
        ProcessCommand command = new("/bin/true", new string('x', Largest + 1));
        StartFailure.Of(command).ShouldBe(command, ProcessStartStep.TooLarge, Errno.TooBig);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Start_WithEnvironmentVariableOf128KiB_IsTooLarge() => Guard.Run(() =>
    {
        ProcessCommand command = new("/bin/true")
        {
            Environment = new Dictionary<string, string?> { ["LARGE"] = new string('x', Largest) },
        };
        StartFailure.Of(command).ShouldBe(command, ProcessStartStep.TooLarge, Errno.TooBig);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "system calls")]
    public void Start_WithArgumentsOfTenMegabytes_IsTooLarge() => Guard.Run(() =>
    {
        ProcessCommand command = new("/bin/true", Enumerable.Repeat(new string('x', 100_000), 100));
        StartFailure.Of(command).ShouldBe(command, ProcessStartStep.TooLarge, Errno.TooBig);
    });

    [Fact]
    [OnlyOn(Systems.Unix, "a program of Unix is the child")]
    public void Run_WithTheLargestArgument_PassesAllOfIt() => Guard.Run(() =>
    {
        string argument = new('x', Largest);
        new ProcessCommand("printf", "%s", argument).Run().StandardOutput.Text.Should().Be(argument);
    });
}
