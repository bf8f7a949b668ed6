using System.Collections;
using System.Collections.Generic;
using FluentAssertions;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Windows.Start;
using Xunit;

namespace ProcessRunner.Tests.Backends.Windows.Start;

/// <summary>Verifies the block of variables that a child on Windows receives.</summary>
public sealed class WindowsEnvironmentTests
{
    private static readonly WindowsEnvironment s_inherited = new(new Hashtable
    {
        ["b"] = "2",
        ["C"] = "3",
        ["A"] = "1",
        ["_"] = "4",
        ["SystemRoot"] = @"C:\Windows",
    });

    [Fact]
    public void Variables_AreSortedByTheirCapitalLetters() =>
        Compose().Should().Be("A=1\0b=2\0C=3\0SystemRoot=C:\\Windows\0_=4\0\0");

    [Fact]
    public void Changes_FindNamesInAnyCase() =>
        Compose(changes: new() { ["B"] = "two", ["c"] = null, ["D"] = "", ["0"] = "first", ["~"] = "last" })
            .Should().Be("0=first\0A=1\0B=two\0D=\0SystemRoot=C:\\Windows\0_=4\0~=last\0\0");

    [Fact]
    public void NamesThatDifferByCaseAlone_AreOneVariable() =>
        Compose(changes: new() { ["NAME"] = "capital", ["name"] = "small", ["Name"] = "mixed" })
            .Should().Be("A=1\0b=2\0C=3\0name=small\0SystemRoot=C:\\Windows\0_=4\0\0");

    [Fact]
    public void EmptyEnvironment_KeepsSystemRoot()
    {
        Compose(inherits: false).Should().Be("SystemRoot=C:\\Windows\0\0");
        Compose(inherits: false, changes: new() { ["Z"] = "26", ["A"] = "1" })
            .Should().Be("A=1\0SystemRoot=C:\\Windows\0Z=26\0\0");
    }

    [Fact]
    public void SystemRoot_IsTheCallersToChange()
    {
        Compose(inherits: false, changes: new() { ["SYSTEMROOT"] = "D:" }).Should().Be("SYSTEMROOT=D:\0\0");
        Compose(inherits: false, changes: new() { ["systemroot"] = null }).Should().Be("\0\0");
        Compose(changes: new() { ["systemroot"] = null }).Should().Be("A=1\0b=2\0C=3\0_=4\0\0");
    }

    [Fact]
    public void Slot_ReplacesAVariableOfItsName() =>
        Compose(new SlotVariable("a", 7), changes: new() { ["A"] = "changed" })
            .Should().Be("a=7\0b=2\0C=3\0SystemRoot=C:\\Windows\0_=4\0\0");

    [Fact]
    public void SameEnvironment_ServesManyStarts()
    {
        Compose(changes: new() { ["A"] = null });
        Compose().Should().StartWith("A=1\0");
    }

    private static string Compose(
        SlotVariable slot = default, bool inherits = true, Dictionary<string, string?>? changes = null) =>
        s_inherited.Compose(
            new ProcessCommand("p") { InheritEnvironment = inherits, Environment = changes ?? [] }, slot);
}
