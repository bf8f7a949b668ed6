using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Results;

public sealed class OutputLinesTests
{
    [Theory]
    [InlineData("")]
    [InlineData("\n", "")]
    [InlineData("a", "a")]
    [InlineData("a\n", "a")]
    [InlineData("a\nb", "a", "b")]
    [InlineData("a\nb\n", "a", "b")]
    [InlineData("a\r\nb\r\n", "a", "b")]
    [InlineData("\r\n\r\n", "", "")]
    [InlineData("\n\na\n\n", "", "", "a", "")]
    [InlineData("a\rb\nc\r", "a\rb", "c\r")]
    [InlineData("a\r\r\nb", "a\r", "b")]
    [InlineData("\r", "\r")]
    [InlineData("a\fb\vc\n", "a\fb\vc")]
    public void Lines_AreSplitAtNewLinesOnly(string printed, params string[] expected) => Guard.Run(() =>
    {
        ProcessResult result = TestPrograms.Quick("print", printed, "print-err", printed).Run();
        result.StandardOutput.Lines().Should().Equal(expected);
        result.StandardError.Lines().Should().Equal(expected);
    });

    [Fact]
    public void Lines_CanBeEnumeratedAgain() => Guard.Run(() =>
    {
        CapturedOutput output = TestPrograms.Quick("seq", "1", "1000").Run().StandardOutput;
        output.Lines().Should().HaveCount(1000).And.Equal(output.Lines());
    });
}
