using System.Text;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Readme;

/// <summary>
/// Contains the examples of <c>docs/platforms.md</c>: every region here is a block there, word for word.
/// </summary>
public sealed class ReadmePlatformExamples
{
    [Fact]
    public void OutputInAnOemCodePage_IsDecoded() => Guard.Run(() =>
    {
        #region oem-code-page
        Encoding.RegisterProvider(CodePagesEncodingProvider.Instance);
        ProcessCommand list = new("cmd", "/d", "/c", "dir") { Encoding = Encoding.GetEncoding(850) };
        #endregion

        ProcessCommand german = TestPrograms.Quick("print-hex", "8481949A0D0A") with { Encoding = list.Encoding };
        german.Run().StandardOutput.Text.Should().Be("äüöÜ\r\n");
        german.Run().StandardOutput.Lines().Should().Equal("äüöÜ");
    });
}
