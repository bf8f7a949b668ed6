using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Tools;

/// <summary>Verifies the tool's response to an invalid command line.</summary>
[OnlyOn(Systems.Unix, "the commands of the tool are of Unix")]
public sealed class BatchUsageTests
{
    [Theory]
    [InlineData("no command", ":::", "x")]
    [InlineData("--jobs: '0'", "-j0", "echo")]
    [InlineData("--jobs: 'many'", "--jobs=many", "echo")]
    [InlineData("--jobs: '-1'", "--jobs", "-1", "echo")]
    [InlineData("--jobs", "--jobs")]
    [InlineData("'-j' expects a single", "-j1", "-j", "2", "echo")]
    [InlineData("--timeout: '5 apples'", "--timeout", "5 apples", "echo")]
    [InlineData("--timeout: '0'", "--timeout", "0", "echo")]
    [InlineData("--timeout: '99999d'", "--timeout", "99999d", "echo")]
    [InlineData("--retries: '-2'", "--retries", "-2", "echo")]
    [InlineData("--retry-delay: 'x'", "--retry-delay", "x", "echo")]
    [InlineData("--halt: 'later'", "--halt", "later", "echo")]
    [InlineData("--halt: '0'", "--halt", "now,fail=0", "echo")]
    [InlineData("--halt: '101%'", "--halt", "soon,fail=101%", "echo")]
    [InlineData("--memfree: '3X'", "--memfree", "3X", "echo")]
    [InlineData("--arg-file: * '/no/such/file'", "-a", "/no/such/file", "echo")]
    [InlineData("--arg-file: '/' is a directory", "-a", "/", "echo")]
    [InlineData("--arg-file: the name of the file is empty", "-a", "", "echo")]
    [InlineData("--joblog: the name of the file is empty", "--joblog", "", "echo", ":::", "x")]
    [InlineData("--joblog: * '/no/such/directory/log'", "--joblog", "/no/such/directory/log", "echo", ":::", "x")]
    [InlineData("--arg-file and ':::'", "-a", "/dev/null", "echo", ":::", "x")]
    [InlineData("'--frobnicate'", "--frobnicate", "echo")]
    [InlineData("':::' may occur only once", "echo", ":::", "a", ":::", "b")]
    [InlineData("--arg-file FILE", "echo", "::::", "list")]
    [InlineData("command to run is empty", "", ":::", "x")]
    [InlineData("item 1 is empty", "{}", ":::", "")]
    public void BadCommandLine_IsRefusedWithAMessage(string message, params string[] arguments) => Guard.Run(() =>
    {
        ProcessResult result = BatchProgram.Run(arguments);
        result.ExitCode.Should().Be(255);
        result.StandardOutput.TotalBytes.Should().Be(0);
        result.StandardError.Text.Should().Match($"batch: *{message}*");
        result.StandardError.Lines().Should().HaveCountLessThanOrEqualTo(3);
    });

    [Theory]
    [InlineData("echo ::: a \"$2\"")]
    [InlineData("echo \"$2\" ::: a")]
    [InlineData("--joblog \"$2\" echo ::: a")]
    public void WordThatIsNotUtf8_IsRefused_InsteadOfChanged(string words) => Guard.Run(() =>
    {
        ProcessResult result =
            TestPrograms.Shell($"set -- \"$1\" \"$(printf 'b\\377d')\"; \"$1\" {words}", BatchProgram.FilePath).Run();
        result.ExitCode.Should().Be(255);
        result.StandardOutput.TotalBytes.Should().Be(0);
        result.StandardError.Text.Should().Match("batch: *'b?d' *not UTF-8*\n");
    });

    [Fact]
    public void Help_NamesEveryOptionAndPlaceholder() => Guard.Run(() =>
    {
        string help = BatchProgram.Run("--help").EnsureSuccess().StandardOutput.Text;
        help.Should().ContainAll(
            "batch [options] COMMAND [ARGUMENT...] [::: ITEM...]", "{}", "{.}", "{/}", "{//}", "{/.}", "{#}", "{%}",
            "--jobs", "--arg-file", "--null", "--shell", "--timeout", "--retries", "--retry-delay", "--halt",
            "--keep-order",
            "--unordered", "--tag", "--dry-run", "--joblog", "--memfree", "--jobserver", "--no-progress", "--version",
            "255");
    });

    [Fact]
    public void Version_IsPrinted() => Guard.Run(() =>
        BatchProgram.Run("--version").EnsureSuccess().StandardOutput.Text.Should().MatchRegex(@"^\d+\.\d+"));

    [Theory]
    [InlineData("8")]
    [InlineData("50%")]
    [InlineData("1%")]
    [InlineData("+1")]
    public void Jobs_AreANumberAShareOrSoManyMore(string jobs) => Guard.Run(() =>
        BatchProgram.Run("--jobs", jobs, "--memfree", "1K", "--jobserver", "echo", ":::", "x").EnsureSuccess()
            .StandardOutput.Text.Should().Be("x\n"));
}
