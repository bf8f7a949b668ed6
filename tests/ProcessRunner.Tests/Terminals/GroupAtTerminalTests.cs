using FluentAssertions;
using ProcessRunner.Tests.Life;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Terminals;

/// <summary>
/// Verifies the default group and session of a child, and the resulting rights at its host's terminal.
/// </summary>
[OnlyOn(Systems.Linux, "pseudo terminals")]
[NativeBackend(".NET starts a child in the group of this process, and has nothing that outlives it")]
public sealed class GroupAtTerminalTests
{
    private const string TellGroupAndSession =
        "[ \"$(cut -d ' ' -f 5 /proc/$$/stat)\" = $$ ] && echo group; "
        + "[ \"$(cut -d ' ' -f 6 /proc/$$/stat)\" = $$ ] && echo session; true";

    // git, ssh and sudo prompt in this way.
    private const string Ask = "exec 3<>/dev/tty || exit 7; echo 'password:' >&3; read -r line <&3; echo \"got $line\"";

    [Fact]
    public void Child_ThatInheritsStandardInput_ReadsWhatIsTyped() => Guard.Run(() =>
    {
        using PseudoTerminal terminal = new();
        using HostWithTrace host = new(
            terminal, "run-at-terminal", "inherit", "Auto", "echo 'name:' >&2; read -r line; echo \"got $line\"");
        terminal.WaitFor("name:");
        terminal.Type("somebody\n");
        terminal.WaitFor("result: Exited 0 [got somebody]");
        host.Child.Wait().ExitCode.Should().Be(0, host.Report);
    });

    [Fact]
    public void Child_ThatInheritsStandardInput_MayAskAtTheTerminal() => Guard.Run(() =>
    {
        using PseudoTerminal terminal = new();
        using HostWithTrace host = new(terminal, "run-at-terminal", "inherit", "Auto", Ask);
        terminal.WaitFor("password:");
        terminal.Type("secret\n");
        terminal.WaitFor("result: Exited 0 [got secret]");
        host.Child.Wait().ExitCode.Should().Be(0, host.Report);
    });

    [Fact]
    public void Child_WithoutOurStandardInput_FailsAtOnceWhereItAsksAtTheTerminal() => Guard.Run(() =>
    {
        using PseudoTerminal terminal = new();
        using HostWithTrace host = new(terminal, "run-at-terminal", "null", "Auto", Ask);
        terminal.WaitFor("result: Exited ");
        terminal.Screen.Should().Contain("/dev/tty").And.NotContain("got");
        host.Child.Wait().ExitCode.Should().Be(0, host.Report);
    });

    [Theory]
    [InlineData("null", "Auto", "[group\r\nsession]")]
    [InlineData("inherit", "Auto", "[]")]
    [InlineData("null", "Own", "[group]")]
    [InlineData("inherit", "Session", "[group\r\nsession]")]
    [InlineData("null", "Inherit", "[]")]
    public void Child_AtATerminal_LeadsWhatItsModeSays(string input, string mode, string leads) => Guard.Run(() =>
    {
        using PseudoTerminal terminal = new();
        using HostWithTrace host = new(terminal, "run-at-terminal", input, mode, TellGroupAndSession);
        terminal.WaitFor($"result: Exited 0 {leads}");
        host.Child.Wait().ExitCode.Should().Be(0, host.Report);
    });

    [Theory]
    [InlineData("null", "[group]")]
    [InlineData("inherit", "[]")]
    public void Child_WithoutATerminal_LeadsAGroupUnlessItInheritsStandardInput(
        string input, string leads) => Guard.Run(() =>
    {
        using HostWithTrace host = new("run-at-terminal", input, "Auto", TellGroupAndSession);
        host.Child.Wait().StandardOutput.Text.Should().Be($"result: Exited 0 {leads}\n", host.Report);
    });

    // A shell does the same: less, for example, reads its keys from the terminal wherever it stands in a pipeline.
    [Theory]
    [InlineData("inherit", "our group, our session")]
    [InlineData("null", "another group, another session")]
    public void Stages_OfOnePipeline_StandTogether(string input, string where) => Guard.Run(() =>
    {
        using PseudoTerminal terminal = new();
        using HostWithTrace host = new(terminal, "pipeline-at-terminal", input);
        terminal.WaitFor($"stage: {where}\r\nstage: {where}\r\ndone");
        host.Child.Wait().ExitCode.Should().Be(0, host.Report);
    });
}
