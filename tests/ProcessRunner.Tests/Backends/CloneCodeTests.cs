using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text.RegularExpressions;
using FluentAssertions;
using ProcessRunner.Backends.Linux;
using ProcessRunner.Interop;
using ProcessRunner.Tests.Interop;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Backends;

/// <summary>The machine code of a start: that it is what its comments say, and finds what it looks for.</summary>
[SupportedOSPlatform("linux")]
public sealed unsafe partial class CloneCodeTests
{
    [Theory]
    [InlineData(nameof(CloneCode.Frame.Blocked), 0)]
    [InlineData(nameof(CloneCode.Frame.BlockedBefore), 8)]
    [InlineData(nameof(CloneCode.Frame.Flags), 16)]
    [InlineData(nameof(CloneCode.Frame.Result), 24)]
    [InlineData(nameof(CloneCode.Frame.PidFd), 32)]
    [InlineData(nameof(CloneCode.Frame.Error), 36)]
    [InlineData(nameof(CloneCode.Frame.Failed), 40)]
    [InlineData(nameof(CloneCode.Frame.Calls), 48)]
    public void Frame_LiesWhereTheCodeLooks(string field, int offset) =>
        Marshal.OffsetOf<CloneCode.Frame>(field).Should().Be(offset);

    [Fact]
    public void SystemCalls_LieOneAfterTheOtherInFiveWords()
    {
        sizeof(SystemCall).Should().Be(40);
        typeof(SystemCall).GetFields(BindingFlags.Instance | BindingFlags.NonPublic).Select(field => field.Name)
            .Should().Equal("_number", "_first", "_second", "_third", "_fourth");
    }

    [Fact]
    public void Bytes_AreWhatTheAssemblerMakesOfTheComments() => Guard.Run(() =>
    {
        Match[] lines = [.. Repository.Lines("Backends/Linux/CloneCode.cs").Select(line => Instruction().Match(line)).Where(match => match.Success)];
        lines.Should().HaveCountGreaterThan(40);
        if (!NativeFacts.CanAsk || RuntimeInformation.ProcessArchitecture != Architecture.X64)
        {
            return;
        }

        IEnumerable<string> assembly = lines.Select(line => $"{line.Groups["label"]} {line.Groups["text"]}");
        byte[] written = [.. lines.SelectMany(line => line.Groups["byte"].Captures)
            .Select(capture => byte.Parse(capture.Value, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture))];
        Assemble(assembly).Should().Equal(written);
    });

    private static byte[] Assemble(IEnumerable<string> assembly)
    {
        using TemporaryDirectory directory = new();
        string source = directory.File("code.s", $".intel_syntax noprefix\n{string.Join('\n', assembly)}\n");
        string compiled = directory.At("code.o");
        string bytes = directory.At("code");
        new ProcessCommand("as", "--64", "-o", compiled, source).Run().EnsureSuccess();
        new ProcessCommand("objcopy", "-O", "binary", "-j", ".text", compiled, bytes).Run().EnsureSuccess();
        return File.ReadAllBytes(bytes);
    }

    // 0x48, 0x89, 0xFB,   // label:  mov  rbx, rdi      what for
    [GeneratedRegex(@"^\s*(?:0x(?<byte>[0-9A-F]{2}),\s*)+// (?<label>\w+:)?\s+(?<text>\w+(?:\s+[^ ,]+(?: [+] \d+\])?(?:, [^ ]+(?: [+] \d+\])?)?)?)(?:\s{2,}.*)?$")]
    private static partial Regex Instruction();
}
