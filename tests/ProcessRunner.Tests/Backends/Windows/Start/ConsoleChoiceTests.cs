using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Windows.Start;
using Xunit;

namespace ProcessRunner.Tests.Backends.Windows.Start;

/// <summary>Verifies which console and which group a child on Windows gets.</summary>
public sealed class ConsoleChoiceTests
{
    private const uint NewGroup = 0x200;
    private const uint NoWindow = 0x8000000;

    [Theory]
    [InlineData(ProcessGroupMode.Auto, NewGroup)]
    [InlineData(ProcessGroupMode.Own, NewGroup)]
    [InlineData(ProcessGroupMode.Session, NewGroup | NoWindow)]
    [InlineData(ProcessGroupMode.Inherit, 0u)]
    public void Child_SharesOurConsole_UnlessItIsToHaveASession(ProcessGroupMode mode, uint flags) =>
        Choose(mode, haveConsole: true).Flags.Should().Be(flags);

    [Theory]
    [InlineData(ProcessGroupMode.Auto)]
    [InlineData(ProcessGroupMode.Own)]
    [InlineData(ProcessGroupMode.Session)]
    [InlineData(ProcessGroupMode.Inherit)]
    public void Child_OfAProcessWithoutAConsole_ShowsNoWindow(ProcessGroupMode mode) =>
        Choose(mode, haveConsole: false).Flags.Should().Be(NewGroup | NoWindow);

    [Fact]
    public void Child_ThatReadsOurInput_StaysInOurGroup()
    {
        ILaunchPlan plan = new ProcessCommand("p") { StandardInput = InputSource.Inherit };
        ConsoleChoice.For(plan, haveConsole: true).Should().Be(new ConsoleChoice(false, false));
        ConsoleChoice.For(plan, haveConsole: false).Should().Be(new ConsoleChoice(true, true));
    }

    private static ConsoleChoice Choose(ProcessGroupMode mode, bool haveConsole) =>
        ConsoleChoice.For(new ProcessCommand("p") { GroupMode = mode }, haveConsole);
}
