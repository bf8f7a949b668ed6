using System.Linq;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Results;

/// <summary>Verifies the texts of the objects that a debugger shows.</summary>
public sealed class TextTests
{
    [Fact]
    public void Child_TellsItsIdAndThenItsEnd() => Guard.Run(() =>
    {
        using ChildProcess child = (TestPrograms.Quick("stdin-length", "return", "3") with
        {
            StandardInput = InputSource.Pipe,
        }).Start();
        child.ToString().Should().Be($"{child.Command}: runs as {child.ProcessId}");
        child.StandardInput.Close();
        child.Wait();
        child.ToString().Should().Be($"{child.Command}: Exited, exit code 3");
    });

    [Fact]
    public void Executor_TellsItsNameAndItsRun() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new("name", TestPrograms.Quick("return", "3"));
        executor.ToString().Should().Be($"name: {executor.Command}: not run yet");
        executor.Run();
        executor.Wait();
        executor.ToString().Should().Be($"name: {executor.Command}: Exited, exit code 3");
    });

    [Fact]
    public void Engine_TellsItsChildren() => Guard.Run(() =>
    {
        using ProcessEngine engine = new();
        TestPrograms.Quick().Run(engine);
        engine.ToString().Should().Be($"{engine.Backend}: 0 of 1 children run");
    });

    [Fact]
    public void Batch_TellsItsCounts() => Guard.Run(() =>
    {
        BatchResults batch = ProcessBatch.Enumerate([TestPrograms.Quick(), TestPrograms.Quick("return", "3")]);
        batch.Count().Should().Be(2);
        batch.ToString().Should().Be("1 passed, 1 failed, 0 running, 0 queued, 0 not started");
    });
}
