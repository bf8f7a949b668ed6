using System;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.StartErrors;

/// <summary>Verifies that the error of a missing program says what to do.</summary>
public sealed class AdviceTests
{
    [Fact]
    public void CommandLine_AsOneWord_IsToBeSplit() => Guard.Run(() =>
        StartFailure.Of(new ProcessCommand("no-such-git  status")).Message
            .Should().Contain("new ProcessCommand(\"no-such-git\", \"status\")"));

    [Fact]
    public void RelativePath_IsToldWithItsDirectory() => Guard.Run(() =>
    {
        StartFailure.Of(new ProcessCommand("no/such/program")).Message
            .Should().Contain($"A relative path begins at '{Environment.CurrentDirectory}'");
        StartFailure.Of(new ProcessCommand("/no/such/program")).Message.Should().NotContain("relative");
        StartFailure.Of(new ProcessCommand("no-such-program")).Message.Should().NotContain("relative");
    });
}
