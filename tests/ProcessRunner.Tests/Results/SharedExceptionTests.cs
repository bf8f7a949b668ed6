using System;
using System.Collections.Generic;
using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Results;

/// <summary>
/// Verifies one exception object that the callbacks of several runs throw: each run still has its own result.
/// </summary>
public sealed class SharedExceptionTests
{
    private static readonly NotFiniteNumberException s_shared = new("one for all", new FormatException("inside"));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ResultOfARun_IsItsOwn(bool isAsync) => Guard.Run(() =>
    {
        NotFiniteNumberException[] thrown = [.. Enumerable.Range(0, 3).Select(number => Thrown(Echo(number), isAsync))];
        for (int number = 0; number < thrown.Length; number++)
        {
            ProcessResult.Of(thrown[number])!.Command.Arguments.Should().Equal("echo", $"{number}");
            thrown[number].Message.Should().Be("one for all");
            thrown[number].InnerException.Should().BeSameAs(s_shared.InnerException);
            thrown[number].StackTrace.Should().Contain(nameof(Throw));
        }
    });

    [Fact]
    public void EveryWait_ForARun_ThrowsTheSameException() => Guard.Run(() =>
    {
        NotFiniteNumberException shared = new();
        Thrown(Echo(1, shared), isAsync: false).Should().BeSameAs(shared, "no other run has thrown it");
        using ChildProcess child = Echo(2, shared).Start();
        NotFiniteNumberException first = Thrown(() => child.Wait());
        first.Should().NotBeSameAs(shared);
        Thrown(() => child.Wait()).Should().BeSameAs(first);
        Thrown(() => child.WaitAsync().GetAwaiter().GetResult()).Should().BeSameAs(first);
    });

    [Fact]
    public void ResultOfABatch_IsFoundByItsException() => Guard.Run(() =>
    {
        NotFiniteNumberException shared = new();
        List<BatchResult> results =
            [.. ProcessBatch.Enumerate(Enumerable.Range(0, 5).Select(number => Echo(number, shared)))];
        results.Should().HaveCount(5);
        results.Should().OnlyContain(result => ProcessResult.Of(result.Exception!) == result.Result);
    });

    [Fact]
    public void ResultOfAnInnerRun_WhoseExceptionPassesTheOuterOne_IsNotTheOuterOnes() => Guard.Run(() =>
    {
        ProcessCommand outer = TestPrograms.Quick("echo", "outer") with
        {
            StandardOutput = OutputTarget.ToLines(_ => Echo(7, new NotFiniteNumberException()).Run()),
        };
        ProcessResult.Of(Thrown(outer, isAsync: false))!.Command.Should().BeSameAs(outer);
    });

    private static ProcessCommand Echo(int number, NotFiniteNumberException? shared = null) =>
        TestPrograms.Quick("echo", $"{number}") with
        {
            StandardOutput = OutputTarget.ToLines(_ => Throw(shared ?? s_shared)),
        };

    private static void Throw(Exception exception) => throw exception;

    private static NotFiniteNumberException Thrown(ProcessCommand command, bool isAsync) =>
        Thrown(() => _ = isAsync ? command.RunAsync().GetAwaiter().GetResult() : command.Run());

    private static NotFiniteNumberException Thrown(Action run) =>
        run.Should().ThrowExactly<NotFiniteNumberException>().Which;
}
