using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using FluentAssertions;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Support;

/// <summary>
/// Reads machine code of the library, with the assembly that is written beside its bytes, and runs the binutils of its
/// processor on both.
/// </summary>
internal sealed partial class AssemblyListing
{
    private readonly Architecture _architecture;
    private readonly Instruction[] _lines;

    /// <summary>Reads the property that has the name of the processor.</summary>
    public AssemblyListing(string source, Architecture architecture)
    {
        _architecture = architecture;
        _lines =
        [
            .. Repository.Lines(source)
                .SkipWhile(line => !line.EndsWith($"ReadOnlySpan<byte> {architecture} =>", StringComparison.Ordinal))
                .Skip(2).TakeWhile(line => line.Trim() != "];")
                .Select(line => Line().Match(line)).Select(match => new Instruction(
                    match.Groups["label"].Value,
                    Spaces().Replace(match.Groups["text"].Value, " "),
                    [.. match.Groups["byte"].Captures.Select(capture =>
                        byte.Parse(capture.Value, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture))])),
        ];
        _lines.Should().NotBeEmpty().And.OnlyContain(line => line.Text.Length > 0 && line.Bytes.Length > 0);
    }

    /// <summary>Gets the code.</summary>
    public byte[] Bytes => [.. _lines.SelectMany(line => line.Bytes)];

    /// <summary>Gets the comments, one instruction each.</summary>
    public IEnumerable<string> Instructions => _lines.Select(line => line.Text);

    /// <summary>Returns the code that the assembler makes of the comments.</summary>
    public byte[] Assemble()
    {
        using TemporaryDirectory directory = new();
        string syntax = _architecture == Architecture.X64 ? ".intel_syntax noprefix\n" : "";
        string source = directory.File("code.s", syntax + string.Concat(_lines.Select(
            line => $"{(line.Label.Length > 0 ? line.Label + ":" : "")} {line.Text}\n")));
        string compiled = directory.At("code.o");
        string bytes = directory.At("code");
        new ProcessCommand(Tool("as"), "-o", compiled, source).Run().EnsureSuccess();
        new ProcessCommand(Tool("objcopy"), "-O", "binary", "-j", ".text", compiled, bytes).Run().EnsureSuccess();
        return File.ReadAllBytes(bytes);
    }

    /// <summary>Returns the instructions that the disassembler finds, written as the comments are.</summary>
    public IEnumerable<string> Disassemble()
    {
        using TemporaryDirectory directory = new();
        string file = directory.At("code");
        File.WriteAllBytes(file, Bytes);
        string[] machine =
            _architecture == Architecture.X64 ? ["-m", "i386:x86-64", "-M", "intel"] : ["-m", "aarch64"];
        ProcessCommand command =
            new ProcessCommand(Tool("objdump"), "-D", "-b", "binary", "--no-show-raw-insn").WithArguments(machine);
        return [.. command.WithArguments(file).Run().EnsureSuccess().StandardOutput.Lines()
            .Select(line => Disassembled().Match(line)).Where(match => match.Success)
            .Select(match => AsComment(Spaces().Replace(match.Groups["text"].Value, " ")))];
    }

    private string Tool(string name) => Toolchain.Tool(_architecture, name);

    // objdump prints mov rdi, [rbx + 16] as mov rdi,QWORD PTR [rbx+0x10], mov x8, #94 as mov x8, #0x5e, and a label as
    // its offset.
    private string AsComment(string text)
    {
        text = text.Replace("je ", "jz ", StringComparison.Ordinal);
        text = Target().Replace(text, match => _lines.Single(
            line => line.Label.Length > 0 && OffsetOf(line.Label) == Hexadecimal(match.Value)).Label);
        text = Number().Replace(text, match => $"{Hexadecimal(match.Value)}");
        if (_architecture == Architecture.X64)
        {
            text = SizeOfMemory().Replace(text, "").Replace("+", " + ", StringComparison.Ordinal);
            text = text.Replace(",", ", ", StringComparison.Ordinal);
        }

        return text;
    }

    private int OffsetOf(string label) =>
        _lines.TakeWhile(line => line.Label != label).Sum(line => line.Bytes.Length);

    private static int Hexadecimal(string number) => Convert.ToInt32(number, 16);

    // The lines have the form:  0x48, 0x89, 0xFB,   // label:  mov  rbx, rdi      purpose
    [GeneratedRegex(
        @"^\s*(?:(?:0x(?<byte>[0-9A-F]{2})|(?<byte>0)),\s*)+// +(?:(?<label>\w+): +)?"
        + @"(?<text>\.?\w+(?: +\S+(?: \S+)*)?)(?: {2,}.*)?$")]
    private static partial Regex Line();

    [GeneratedRegex(@"^\s+[0-9a-f]+:\s+(?<text>\S.*?)(?:\s*// #\d+)?\s*$")]
    private static partial Regex Disassembled();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();

    [GeneratedRegex(@"(?<=^(?:j\w+|b|cbz) (?:\w+, )?|^tbnz .*, )0x[0-9a-f]+$")]
    private static partial Regex Target();

    [GeneratedRegex(@"0x[0-9a-f]+")]
    private static partial Regex Number();

    [GeneratedRegex(@"[DQ]WORD PTR ")]
    private static partial Regex SizeOfMemory();

    private sealed record Instruction(string Label, string Text, byte[] Bytes);
}
