using FluentAssertions;
using ProcessRunner.Backends.Starts;
using Xunit;

namespace ProcessRunner.Tests.Backends.Starts;

/// <summary>Verifies the paths that the name of a program can stand for, and their order.</summary>
public sealed class ProgramCandidatesTests
{
    [Fact]
    public void UnixName_IsOnPath_WhereAnEmptyEntryIsTheCurrentDirectory() =>
        ProgramCandidates.OfUnix("p", "/a:/b/::/").Should().Equal("/a/p", "/b/p", "./p", "/p");

    [Fact]
    public void UnixPath_IsItself() => ProgramCandidates.OfUnix("a/p", null).Should().Equal("a/p");

    [Fact]
    public void WindowsName_HasTheExtensionsThatPathExtNames() =>
        ProgramCandidates.OfWindows("p", @"C:\a", ".CMD;.exe")
            .Should().Equal(@"C:\a\p.CMD", @"C:\a\p.exe");

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData(".JS;.VBS;.PY")]
    public void WindowsName_WithoutAUsefulPathExt_HasTheExtensionsThatCanRun(string? extensions) =>
        ProgramCandidates.OfWindows("p", @"C:\a", extensions)
            .Should().Equal(@"C:\a\p.COM", @"C:\a\p.EXE", @"C:\a\p.BAT", @"C:\a\p.CMD");

    [Fact]
    public void Scripts_OfPathExt_AreNotCandidates() =>
        ProgramCandidates.OfWindows("p", @"C:\a", ".JS; .EXE ;.PY").Should().Equal(@"C:\a\p.EXE");

    [Theory]
    [InlineData("p.exe")]
    [InlineData("p.CMD")]
    [InlineData("p.1.bat")]
    public void WindowsName_WithSuchAnExtension_IsTakenAsItIs(string name) =>
        ProgramCandidates.OfWindows(name, @"C:\a;D:\b", ".EXE").Should().Equal($@"C:\a\{name}", $@"D:\b\{name}");

    [Fact]
    public void WindowsName_WithAnotherDot_GetsExtensionsFirst() =>
        ProgramCandidates.OfWindows("python3.12", @"C:\a", ".EXE")
            .Should().Equal(@"C:\a\python3.12.EXE", @"C:\a\python3.12");

    [Fact]
    public void WindowsPath_IsNotSearchedFor_AndCanMeanAFileWithoutAnExtension() =>
        ProgramCandidates.OfWindows(@".\p", null, ".EXE").Should().Equal(@".\p.EXE", @".\p");

    [Theory]
    [InlineData("")]
    [InlineData(".")]
    [InlineData("bin")]
    [InlineData(@"\bin")]
    [InlineData("C:bin")]
    [InlineData(" ; ;.;;")]
    public void CurrentDirectory_IsNeverSearchedOnWindows(string searchPath) =>
        ProgramCandidates.OfWindows("p", searchPath, ".EXE").Should().BeEmpty();

    [Fact]
    public void Directory_OnPath_CanBeQuoted_AndEndWithASeparator() =>
        ProgramCandidates.OfWindows("p.exe", "\"C:\\a b\"; D:\\ ;E:/c/;\\\\server\\share", null)
            .Should().Equal(@"C:\a b\p.exe", @"D:\p.exe", "E:/c/p.exe", @"\\server\share\p.exe");
}
