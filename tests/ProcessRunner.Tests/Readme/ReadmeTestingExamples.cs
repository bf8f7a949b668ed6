using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Readme;

/// <summary>
/// Contains the examples of docs/testing.md: every region here is a block there, word for word.
/// </summary>
public sealed class ReadmeTestingExamples
{
    [Fact]
    public void Class_UnderTest_MeetsASimulatedGit() => Guard.Run(() =>
    {
        #region testing
        using ProcessEngine engine = ProcessEngine.Simulate(command => command.Arguments[0] switch
        {
            "branch" => new SimulatedRun("main\n"),
            "push" => new SimulatedRun().WriteError("fatal: no such remote\n").Exit(128),
            _ => SimulatedRun.FailStart(ProcessStartStep.NotFound),
        });
        Repository repository = new("/work", engine);

        repository.Branch.Should().Be("main");
        repository.Invoking(it => it.Push()).Should().Throw<ExitCodeException>().WithMessage("*no such remote*");
        #endregion

        repository.Invoking(it => it.Pull()).Should().Throw<ProcessStartException>();
    });

    #region tested
    public sealed class Repository(string path, ProcessEngine? engine = null)
    {
        private readonly ProcessCommand _git = new("git") { WorkingDirectory = path };

        public string Branch => Run("branch", "--show-current").StandardOutput.Text.Trim();

        public void Push() => Run("push");

        public void Pull() => Run("pull");

        private ProcessResult Run(params string[] arguments) =>
            _git.WithArguments(arguments).Run(engine).EnsureSuccess();
    }
    #endregion
}
