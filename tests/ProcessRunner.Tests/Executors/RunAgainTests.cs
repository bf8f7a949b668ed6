using System;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Executors;

public sealed class RunAgainTests
{
    // More than any system takes, for an argument or for all of them.
    private const int TooLong = 2 * 1024 * 1024;

    [Fact]
    public void Run_AgainAfterTheEnd_Works() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("echo", TestPrograms.Quick("echo"));
        for (int i = 0; i < 10; i++)
        {
            executor.Run($"{i}");
            executor.Wait().StandardOutput.Text.Should().Be($"{i}\n");
            executor.Result.StandardOutput.Text.Should().Be($"{i}\n");
        }
    });

    [Fact]
    public void Run_AddsItsArgumentsToTheCommands() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("echo", TestPrograms.Quick("echo", "a", "echo", "b"));
        executor.Run("echo", "c");
        executor.Wait().StandardOutput.Text.Should().Be("a\nb\nc\n");
        executor.Run();
        executor.Wait().StandardOutput.Text.Should().Be("a\nb\n");
    });

    [Fact]
    public void Run_WhileOneRuns_ThrowsAndHarmsNothing() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("long sleep", TestPrograms.Quick("sleep"));
        executor.Run("1000000");
        executor.Invoking(e => e.Run("1000000"))
            .Should().ThrowExactly<InvalidOperationException>().WithMessage("*long sleep*");
        executor.IsRunning.Should().BeTrue();
        executor.RequestStop();
        executor.Wait().Outcome.Should().Be(ProcessOutcome.Canceled);
        executor.IsRunning.Should().BeFalse();
        executor.Run("0");
        executor.Wait().ExitCode.Should().Be(0);
    });

    [Fact]
    [NotUnderWine("it takes arguments that are too long", HoldsNatively = true)]
    public void Run_AfterStartThatFailed_Works() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("printer", TestPrograms.Quick("print"));
        executor.Invoking(e => e.Run(new string('x', TooLong))).Should().ThrowExactly<ProcessStartException>();
        executor.IsRunning.Should().BeFalse();
        executor.Invoking(e => e.Wait()).Should().ThrowExactly<InvalidOperationException>();
        executor.Run("works");
        executor.Wait().StandardOutput.Text.Should().Be("works");
    });

    [Fact]
    [NotUnderWine("it takes arguments that are too long", HoldsNatively = true)]
    public void StartThatFailed_KeepsTheResultBefore() => Guard.Run(() =>
    {
        string tooLong = new('x', TooLong);
        using ProcessExecutor executor = new("printer", TestPrograms.Quick("print"));
        executor.Run("first");
        executor.Wait();
        for (int i = 0; i < 2; i++)
        {
            executor.Invoking(e => RunAndWait(e, tooLong)).Should().ThrowExactly<ProcessStartException>();
            executor.IsRunning.Should().BeFalse();
            executor.Result.StandardOutput.Text.Should().Be("first");
            executor.Wait().StandardOutput.Text.Should().Be("first");
        }

        RunAndWait(executor, "second");
        executor.Result.StandardOutput.Text.Should().Be("second");

        void RunAndWait(ProcessExecutor executor, string argument)
        {
            executor.Run(argument);
            executor.Wait();
        }
    });

    [Fact]
    public void Run_WithBadArguments_Throws() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("echo", TestPrograms.Quick("echo"));
        executor.Invoking(e => e.Run("\0")).Should().ThrowExactly<ArgumentException>();
        executor.Invoking(e => e.Run("a", null!)).Should().Throw<ArgumentException>();
        executor.Invoking(e => e.Run(null!)).Should().Throw<ArgumentException>();
    });

    [Fact]
    public void Executor_WithBadNames_Throws()
    {
        FluentActions.Invoking(() => new ProcessExecutor("", "echo")).Should().Throw<ArgumentException>();
        FluentActions.Invoking(() => new ProcessExecutor(null!, "echo")).Should().Throw<ArgumentException>();
        FluentActions.Invoking(() => new ProcessExecutor("name", "")).Should().Throw<ArgumentException>();
        FluentActions.Invoking(() => new ProcessExecutor("name", (ProcessCommand)null!))
            .Should().Throw<ArgumentException>();
    }
}
