using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Tools;

/// <summary>Verifies the commands that the tool creates from a template and an item.</summary>
[OnlyOn(Systems.Unix, "the commands of the tool are of Unix")]
public sealed class BatchTemplateTests
{
    private const string HarmfulItem = "a b'\"$(id)\\;*";

    [Theory]
    [InlineData("{}", "d/f.txt", "d/f.txt")]
    [InlineData("{.}", "d.x/f.tar.gz", "d.x/f.tar")]
    [InlineData("{.}", "d.x/f", "d.x/f")]
    [InlineData("{.}", "f.", "f.")]
    [InlineData("{/}", "a/b/f.txt", "f.txt")]
    [InlineData("{/}", "f.txt", "f.txt")]
    [InlineData("{//}", "a/b/f.txt", "a/b")]
    [InlineData("{//}", "f.txt", ".")]
    [InlineData("{//}", "/f.txt", "/")]
    [InlineData("{//}", "a/b/", "a")]
    [InlineData("{/.}", "a.b/f.txt", "f")]
    [InlineData("{#}", "x", "1")]
    [InlineData("{%}", "x", "1")]
    [InlineData("<{}|{#}|{}>", "x", "<x|1|x>")]
    [InlineData("{%}-{}", HarmfulItem, "1-" + HarmfulItem)]
    [InlineData("{x} {{}}", "i", "{x} {i}")]
    public void Placeholder_StandsForItsPartOfTheItem(string word, string item, string expected) => Guard.Run(() =>
        BatchProgram.Run("printf", "%s", word, ":::", item).EnsureSuccess().StandardOutput.Text.Should().Be(expected));

    [Fact]
    public void Item_IsAppended_WhereThereIsNoPlaceholder() => Guard.Run(() =>
        BatchProgram.Run("echo", "-n", "x", "{x}", ":::", "item").StandardOutput.Text.Should().Be("x {x} item"));

    [Fact]
    public void Placeholder_AsProgram_RunsTheItem() => Guard.Run(() =>
        BatchProgram.Run("{}", "x", ":::", "echo", "printf").StandardOutput.Text.Should().Be("x\nx"));

    [Theory]
    [InlineData(HarmfulItem)]
    [InlineData("two\nlines")]
    [InlineData("-n")]
    [InlineData("")]
    [InlineData("ü €")]
    public void Item_OfAnyKind_ArrivesAsItIs(string item) => Guard.Run(() =>
    {
        BatchProgram.Run("printf", "<%s>", "{}", ":::", item).StandardOutput.Text.Should().Be($"<{item}>");
        BatchProgram.Run("--shell", "printf '<%s>' {} | cat", ":::", item).StandardOutput.Text.Should().Be($"<{item}>");
    });

    [Fact]
    public void OptionsOfTheCommand_BelongToTheCommand() => Guard.Run(() =>
        BatchProgram.Run("-j1", "--", "echo", "--tag", "-k", "--help", ":::", "x").StandardOutput.Text
            .Should().Be("--tag -k --help x\n"));

    [Fact]
    public void SlotNumber_IsNeverThatOfAnotherJobThatRuns() => Guard.Run(() =>
    {
        // The creator of the directory owns the slot until it removes the directory.
        using Support.TemporaryDirectory directory = new();
        ProcessResult result = BatchProgram.Run(
            "-j3",
            "--shell",
            $"mkdir {directory.At("{%}")} && sleep 0.01 && rmdir {directory.At("{%}")} && echo {{%}}; : {{}}",
            ":::", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12");
        result.EnsureSuccess().StandardOutput.Lines()
            .Should().OnlyContain(slot => slot == "1" || slot == "2" || slot == "3");
    });

    [Fact]
    public void DryRun_PrintsTheCommandsAndRunsNothing() => Guard.Run(() =>
    {
        BatchProgram.Run("--dry-run", "false", "{}", "{%}", ":::", "a b", "c").EnsureSuccess()
            .StandardOutput.Lines().Should().Equal("false 'a b' 1", "false c 1");
        BatchProgram.Run("--dry-run", "--shell", "false | wc {}", ":::", "it's").EnsureSuccess()
            .StandardOutput.Text.Should().Be("false | wc 'it'\\''s'\n");
    });
}
