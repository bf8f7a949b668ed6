using System;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Text.RegularExpressions;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies that what cannot run is refused with the reason.</summary>
public sealed class TargetTests
{
    private const string Unlisted = "the tests of ProcessRunner.HostileTests cannot be listed";

    [Fact]
    public void AnAssemblyWhoseRuntimeIsMissing_IsRefusedWithTheNameOfTheRuntime() => Refused(
        path =>
        {
            string file = Path.ChangeExtension(path, ".runtimeconfig.json");
            string text = Regex.Replace(File.ReadAllText(file), "(\"version\": \")[^\"]*", "${1}99.0.0");
            File.WriteAllText(file, text);
        },
        "99.0.0");

    [Fact]
    public void AnAssemblyWithoutItsFramework_IsRefusedWithTheNameOfTheFile() =>
        Refused(path => File.Delete(Path.Combine(Path.GetDirectoryName(path)!, "xunit.core.dll")), "xunit.core");

    [Fact]
    public void AFrameworkThatIsTooOld_IsRefusedWithItsVersion() => Refused(
        path =>
        {
            AssemblyName name = new("xunit.execution.dotnet") { Version = new Version(2, 3, 1, 0) };
            PersistedAssemblyBuilder assembly = new(name, typeof(object).Assembly);
            assembly.DefineDynamicModule("main");
            assembly.Save(Path.Combine(Path.GetDirectoryName(path)!, "xunit.execution.dotnet.dll"));
        },
        "The oldest that works is 2.4.0.",
        "ProcessRunner.HostileTests.dll has xunit.execution.dotnet 2.3.1");

    [Fact]
    public void AFrameworkThatIsNoAssembly_IsRefused() => Refused(
        path => File.WriteAllText(
            Path.Combine(Path.GetDirectoryName(path)!, "xunit.execution.dotnet.dll"), "no assembly"),
        "is not an assembly",
        "ProcessRunner.HostileTests.dll or its test framework");

    [Theory]
    [InlineData("{ no JSON")]
    [InlineData("[]")]
    public void SettingsThatAreNone_AreRefused(string text) => Refused(
        path => File.WriteAllText(Path.Combine(Path.GetDirectoryName(path)!, "xunit.runner.json"), text),
        "cannot be read",
        "xunit.runner.json");

    [Fact]
    public void AFileThatIsNoAssembly_IsRefused() =>
        Refused(path => File.WriteAllText(path, "no assembly"), "cannot be listed");

    [Theory]
    [InlineData]
    [InlineData("list")]
    public void AnAssemblyWithoutTests_EndsWithTheExitCodeForThat(params string[] command) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        CopyWithoutTests(folder);

        ProcessResult run = PTestProgram.Command(
            folder.Path, [.. command, folder.File("ProcessRunner.TestHost.dll")]).Run();

        run.ExitCode.Should().Be(4);
        run.StandardError.Text.Trim().Should().Be("ptest: there are no tests to run.");
        run.StandardOutput.Text.Should().BeEmpty();
    });

    /// <summary>The framework of another project lies beside the assembly, and is not its own.</summary>
    [Theory]
    [InlineData("xunit.execution.dotnet.dll")]
    [InlineData("xunit.v3.core.dll")]
    public void InASharedFolder_AnAssemblyKeepsItsFramework(string other) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string assembly = PTestProgram.HostileBy("NUnit");
        foreach (string file in Directory.EnumerateFiles(Path.GetDirectoryName(assembly)!))
        {
            File.Copy(file, folder.File(Path.GetFileName(file)));
        }

        string suite = Path.GetDirectoryName(other.Contains("v3") ? PTestProgram.HostileV3 : PTestProgram.Hostile)!;
        File.Copy(Path.Combine(suite, other), folder.File(other));

        PTestProgram.Command(folder.Path, "list", folder.File(Path.GetFileName(assembly)), "-e", "method:Fails")
            .Run().StandardOutput.Lines().Should().ContainSingle().Which.Should().Contain("OrdinaryTests.Fails");
    });

    /// <summary>Helpers of the tests may use xunit where the tests do not.</summary>
    [Theory]
    [InlineData("NUnit")]
    [InlineData("VSTest")]
    public void AFrameworkThatFindsNoTest_LeavesThemToTheOneThatDoes(string suite) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string assembly = PTestProgram.HostileBy(suite);
        CopyFiles(assembly, folder.Path, "*");
        CopyFiles(PTestProgram.Hostile, folder.Path, "xunit*.dll");
        string dependencies = folder.File($"ProcessRunner.HostileTests.{suite}.deps.json");
        string helpers = string.Concat(Directory.EnumerateFiles(folder.Path, "xunit*.dll")
            .Select(file => $"\"{Path.GetFileName(file)}\": {{ }},"));
        File.WriteAllText(
            dependencies, File.ReadAllText(dependencies).Replace("\"runtime\": {", $"\"runtime\": {{ {helpers}"));
        ProcessResult run = PTestProgram.Command(
            folder.Path, folder.File(Path.GetFileName(assembly)), "-e", "class:OrdinaryTests and method:Fails", "-v")
            .Run();

        PTestProgram.Verdicts(run, $"Hostile{suite}.").Should().Equal(["OrdinaryTests.Fails FAIL"], run.ToString());
        run.ExitCode.Should().Be(1);
    });

    [Fact]
    public void TestsOfTwoFrameworks_AreRefused_BeforeThoseOfOneAreLost() => Refused(
        path => CopyFiles(
            PTestProgram.HostileBy("VSTest"), Path.GetDirectoryName(path)!, "NUnit3.TestAdapter.dll"),
        "has tests of xunit 2, and refers to NUnit",
        "move the tests of NUnit into a project of their own");

    [Fact]
    public void AnAssemblyWithoutTests_IsNamed_IfOthersHaveSome() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        CopyWithoutTests(folder);

        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, folder.File("ProcessRunner.TestHost.dll"), "-e", "method:Row_Passes")
            .Run();

        run.ExitCode.Should().Be(0, run.ToString());
        run.StandardError.Lines().Should().Equal("ptest: ProcessRunner.TestHost has no test that xunit 2 finds.");
    });

    [Fact]
    public void ATemporaryFolderThatIsMissing_IsNamed() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string missing = folder.File("missing");

        ProcessResult run = PTestProgram.Command(folder.Path, PTestProgram.Hostile)
            .WithEnvironment("TMPDIR", missing).WithEnvironment("TMP", missing).WithEnvironment("TEMP", missing)
            .Run();

        run.ExitCode.Should().Be(2);
        run.StandardError.Text.Should().StartWith("ptest: no folder can be made in the temporary folder")
            .And.Contain(missing);
        run.StandardOutput.Text.Should().BeEmpty();
    });

    private static void CopyFiles(string assembly, string folder, string pattern)
    {
        foreach (string file in Directory.EnumerateFiles(Path.GetDirectoryName(assembly)!, pattern))
        {
            File.Copy(file, Path.Combine(folder, Path.GetFileName(file)));
        }
    }

    /// <summary>Copies an assembly without tests, and a test framework beside it.</summary>
    private static void CopyWithoutTests(TemporaryFolder folder)
    {
        string[] files =
        [
            .. Directory.EnumerateFiles(Path.GetDirectoryName(PTestProgram.Hostile)!, "xunit*.dll"),
            PTestProgram.Built("ProcessRunner.TestHost", "ProcessRunner.TestHost.dll"),
            PTestProgram.Built("ProcessRunner.TestHost", "ProcessRunner.TestHost.runtimeconfig.json"),
        ];
        foreach (string file in files)
        {
            File.Copy(file, folder.File(Path.GetFileName(file)));
        }
    }

    private static void Refused(Action<string> spoil, string reason, string refusal = Unlisted) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        foreach (string file in Directory.EnumerateFiles(Path.GetDirectoryName(PTestProgram.Hostile)!))
        {
            File.Copy(file, folder.File(Path.GetFileName(file)));
        }

        string path = folder.File(Path.GetFileName(PTestProgram.Hostile));
        spoil(path);

        ProcessResult run = PTestProgram.Command(folder.Path, path).Run();

        run.ExitCode.Should().Be(2);
        run.StandardError.Text.Should().StartWith("ptest: ").And.Contain(refusal)
            .And.Contain(reason);
        run.StandardOutput.Text.Should().BeEmpty();
    });
}
