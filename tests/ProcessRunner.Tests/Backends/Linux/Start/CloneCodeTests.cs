using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text.RegularExpressions;
using FluentAssertions;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.Interop;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Backends.Linux.Start;

/// <summary>
/// Verifies that the machine code of a start matches its comments and finds the data that it looks for.
/// </summary>
[SupportedOSPlatform("linux")]
[NativeBackend("the Linux backend itself")]
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

    [FactWithTool("as")]
    public void Bytes_AreWhatTheAssemblerMakesOfTheComments() => Guard.Run(() =>
        Assemble(Lines().Select(line => $"{line.Label} {line.Text}"))
            .Should().Equal(Lines().SelectMany(line => line.Bytes)));

    [FactWithTool("objdump")]
    public void Code_InMemory_IsWhatTheCommentsSay() => Guard.Run(() =>
    {
        Instruction[] lines = Lines();
        Dictionary<string, int> labels = [];
        int length = 0;
        foreach (Instruction line in lines)
        {
            if (line.Label.Length > 0)
            {
                labels[line.Label.TrimEnd(':')] = length;
            }

            length += line.Bytes.Length;
        }

        // The code may be missing in the test's process: a variable selects posix_spawn.
        byte[] code = CloneCode.Address is null
            ? [.. lines.SelectMany(line => line.Bytes)]
            : new ReadOnlySpan<byte>(CloneCode.Address, length).ToArray();
        Disassemble(code).Should().Equal(lines.Select(line => AsObjdumpSays(line.Text, labels)));
        if (CloneCode.Address is not null)
        {
            ((byte*)CloneCode.Address)[length].Should().Be(0, "there is no code beyond the lines");
        }
    });

    // If the kernel requires a mark at the target of an indirect call, the code has it.
    [Fact]
    public void Code_BeginsAsTheTargetOfACall() => Lines()[0].Text.Should().Be("endbr64");

    [Fact]
    public void Code_HasAName_WhereTheKernelGivesThem()
    {
        const string Name = "ProcessRunner start";
        void* page = LibC.Map(
            null, (nuint)Environment.SystemPageSize, LibC.PROT_READ, LibC.MAP_PRIVATE | LibC.MAP_ANONYMOUS, -1, 0);
        bool areGiven = LibC.SetName(page, (nuint)Environment.SystemPageSize, Name) == 0;
        LibC.Unmap(page, (nuint)Environment.SystemPageSize).Should().Be(0);
        if (CloneCode.Address is not null)
        {
            string mapping = File.ReadLines("/proc/self/maps").Single(
                line => line.StartsWith($"{(nint)CloneCode.Address:x}-", StringComparison.Ordinal));
            mapping.Should().Contain(" r-xp ").And.EndWith(areGiven ? $"[anon:{Name}]" : " 0 ");
        }
    }

    private static Instruction[] Lines()
    {
        Instruction[] lines =
        [
            .. Repository.Lines("Backends/Linux/Start/CloneCode.cs").Where(
                line => line.TrimStart().StartsWith("0x", StringComparison.Ordinal))
                .Select(line => Line().Match(line)).Select(match => new Instruction(
                    match.Groups["label"].Value,
                    match.Groups["text"].Value,
                    [.. match.Groups["byte"].Captures.Select(capture =>
                        byte.Parse(capture.Value, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture))])),
        ];
        lines.Should().HaveCountGreaterThan(40).And.OnlyContain(line => line.Text.Length > 0);
        return lines;
    }

    private static string[] Disassemble(byte[] code)
    {
        using TemporaryDirectory directory = new();
        string file = directory.At("code");
        File.WriteAllBytes(file, code);
        ProcessCommand command =
            new("objdump", "-D", "-b", "binary", "-m", "i386:x86-64", "-M", "intel", "--no-show-raw-insn", file);
        return [.. command.Run().EnsureSuccess().StandardOutput.Lines()
            .Select(line => Disassembled().Match(line)).Where(match => match.Success)
            .Select(match => Spaces().Replace(match.Groups["text"].Value.Trim(), " "))];
    }

    // objdump prints mov rdi, [rbx + 16] as mov rdi,QWORD PTR [rbx+0x10], and a label as a number.
    private static string AsObjdumpSays(string text, Dictionary<string, int> labels)
    {
        string name = text.Split(' ')[0];
        string operands = text[name.Length..].Replace(" ", "", StringComparison.Ordinal);
        if (labels.TryGetValue(operands, out int target))
        {
            return $"{(name == "jz" ? "je" : name)} 0x{target:x}";
        }

        operands = Number().Replace(operands, match => $"0x{int.Parse(match.Value, CultureInfo.InvariantCulture):x}");
        string size = operands.Contains(",e", StringComparison.Ordinal) ? "DWORD" : "QWORD";
        operands = name == "lea" ? operands : operands.Replace("[", $"{size} PTR [", StringComparison.Ordinal);
        return $"{name} {operands}".TrimEnd();
    }

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

    // The lines have the form:  0x48, 0x89, 0xFB,   // label:  mov  rbx, rdi      purpose
    [GeneratedRegex(
        @"^\s*(?:0x(?<byte>[0-9A-F]{2}),\s*)+// (?<label>\w+:)?\s+"
        + @"(?<text>\w+(?:\s+[^ ,]+(?: [+] \d+\])?(?:, [^ ]+(?: [+] \d+\])?)?)?)(?:\s{2,}.*)?$")]
    private static partial Regex Line();

    [GeneratedRegex(@"^\s+[0-9a-f]+:\s+(?<text>\S.*)$")]
    private static partial Regex Disassembled();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();

    [GeneratedRegex(@"(?<![\w])\d+")]
    private static partial Regex Number();

    private sealed record Instruction(string Label, string Text, byte[] Bytes);
}
