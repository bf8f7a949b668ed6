using System.IO;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies which assemblies a project or a solution stands for.</summary>
public sealed class ProjectTests
{
    private static readonly string s_project = $"""
        <Project Sdk="Microsoft.NET.Sdk">
          <PropertyGroup>
            <TargetFrameworks>net10.0;net48;net10.0-android</TargetFrameworks>
            <AssemblyName>ProcessRunner.HostileTests</AssemblyName>
            <OutDir>{Path.GetDirectoryName(PTestProgram.Hostile)}/</OutDir>
            <IsTestProject>true</IsTestProject>
          </PropertyGroup>
        </Project>
        """;

    [Fact]
    public void AProjectOfSeveralFrameworks_IsOneAssemblyForEachThatRunsHere() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("Shop.csproj"), s_project);
        ProcessResult run = List(folder, "Shop.csproj");

        run.StandardOutput.Lines().Should().NotBeEmpty()
            .And.OnlyContain(line => line.StartsWith("ProcessRunner.HostileTests (net10.0) "));
        run.StandardError.Lines().Should().HaveCount(2)
            .And.Contain(line => line.Contains("Shop.csproj is left out for net48"))
            .And.Contain(line => line.Contains("Shop.csproj is left out for net10.0-android"));
    });

    [Theory]
    [InlineData("<TargetFramework>net10.0</TargetFramework>")]
    [InlineData("<TargetFrameworks>net10.0</TargetFrameworks>")]
    public void AProjectOfOneFramework_HasItNotInItsName(string one) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("Shop.csproj"), s_project.Replace(
            "<TargetFrameworks>net10.0;net48;net10.0-android</TargetFrameworks>", one));

        List(folder, "Shop.csproj").StandardOutput.Lines().Should().NotBeEmpty()
            .And.OnlyContain(line => line.StartsWith("ProcessRunner.HostileTests ProcessRunner."));
    });

    [Fact]
    public void AFramework_IsTheOnlyOne() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("Shop.csproj"), s_project);
        List(folder, "Shop.csproj", "-f", "net10.0").StandardError.Text.Should().BeEmpty();

        ProcessResult refused = List(folder, "Shop.csproj", "-f", "net8.0");
        refused.ExitCode.Should().Be(2);
        refused.StandardError.Text.Should().Contain("Shop.csproj is not a test project for net8.0.");
    });

    [Fact]
    public void AFilterOfASolution_HasItsProjectsFromTheFolderOfTheSolution() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        Directory.CreateDirectory(folder.File("src"));
        Directory.CreateDirectory(folder.File("filters"));
        File.WriteAllText(folder.File("src/Shop.csproj"), s_project);
        File.WriteAllText(folder.File("Shop.slnx"), """<Solution><Project Path="src/Shop.csproj" /></Solution>""");
        File.WriteAllText(folder.File("filters/Shop.slnf"), """
            { "solution": { "path": "..\\Shop.slnx", "projects": [ "src\\Shop.csproj" ] } }
            """);

        List(folder, "filters/Shop.slnf", "-f", "net10.0").StandardOutput.Lines().Should().NotBeEmpty();
    });

    [Fact]
    public void AProjectOfASolutionThatIsNotBuilt_IsRefused() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("Shop.csproj"), s_project.Replace("</OutDir>", "missing/</OutDir>"));
        File.WriteAllText(folder.File("Shop.slnx"), """<Solution><Project Path="Shop.csproj" /></Solution>""");
        File.WriteAllText(folder.File("Shop.slnf"), """
            { "solution": { "path": "Shop.slnx", "projects": [ "Shop.csproj" ] } }
            """);
        ProcessResult run = List(folder, "Shop.slnf", "-f", "net10.0");

        run.ExitCode.Should().Be(2);
        run.StandardError.Lines().Should().ContainSingle().Which.Should().StartWith("ptest: ")
            .And.Contain("missing/ProcessRunner.HostileTests.dll does not exist. Build the project first");
    });

    [Theory]
    [InlineData("{ }")]
    [InlineData("no JSON")]
    public void AFilterThatIsNone_IsRefused(string text) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("Shop.slnf"), text);
        ProcessResult run = List(folder, "Shop.slnf");

        run.ExitCode.Should().Be(2);
        run.StandardError.Text.Should().Contain("Shop.slnf is not a filter of a solution");
    });

    /// <summary>The solution builds nothing else for Debug, so that other files would be old or missing.</summary>
    [Theory]
    [InlineData("Shop.sln", """
        Microsoft Visual Studio Solution File, Format Version 12.00
        Project("{9A19103F-16F7-4668-BE54-9A1E7A4F7556}") = "S", "Shop.csproj", "{0F7A3C55-52B9-4F0B-9B7E-8B2E0C1D2E3F}"
        EndProject
        Global
            GlobalSection(SolutionConfigurationPlatforms) = preSolution
                Debug|Any CPU = Debug|Any CPU
            EndGlobalSection
            GlobalSection(ProjectConfigurationPlatforms) = postSolution
                {0F7A3C55-52B9-4F0B-9B7E-8B2E0C1D2E3F}.Debug|Any CPU.ActiveCfg = Release|x64
                {0F7A3C55-52B9-4F0B-9B7E-8B2E0C1D2E3F}.Debug|Any CPU.Build.0 = Release|x64
            EndGlobalSection
        EndGlobal
        """)]
    [InlineData("Shop.slnx", """
        <Solution>
          <Project Path="Shop.csproj"><BuildType Project="Release" /><Platform Project="x64" /></Project>
        </Solution>
        """)]
    public void AProjectOfASolution_HasTheConfigurationOfThat(string name, string text) => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("Shop.csproj"), s_project.Replace(
            "</PropertyGroup>",
            "<OutDir Condition=\"'$(Configuration)|$(Platform)' != 'Release|x64'\">missing/</OutDir></PropertyGroup>"));
        File.WriteAllText(folder.File(name), text);
        ProcessResult run = List(folder, name, "-f", "net10.0");

        run.StandardOutput.Lines().Should().NotBeEmpty(run.StandardError.Text);
    });

    [Fact]
    public void AProjectThatTheSolutionDoesNotBuild_IsLeftOut() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("Shop.csproj"), s_project);
        File.WriteAllText(folder.File("Shop.slnx"), """
            <Solution><Project Path="Shop.csproj"><Build Project="false" /></Project></Solution>
            """);
        ProcessResult run = List(folder, "Shop.slnx", "-f", "net10.0");

        run.ExitCode.Should().Be(2);
        run.StandardError.Text.Should().Contain("Shop.csproj is left out: Shop.slnx does not build it for Debug.");
    });

    [Fact]
    public void AConfigurationThatASolutionLacks_IsRefused() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder.File("Shop.csproj"), s_project);
        File.WriteAllText(folder.File("Shop.slnx"), """<Solution><Project Path="Shop.csproj" /></Solution>""");
        ProcessResult run = List(folder, "Shop.slnx", "-c", "Other");

        run.ExitCode.Should().Be(2);
        run.StandardError.Text.Should().Contain("Shop.slnx cannot be read: ").And.Contain("Other");
    });

    [Fact]
    public void AFolderWithoutAProject_IsRefused() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        ProcessResult run = List(folder, ".");

        run.ExitCode.Should().Be(2);
        run.StandardError.Text.Should().Contain("there is no project and no solution in ");
    });

    private static ProcessResult List(TemporaryFolder folder, string target, params string[] options) =>
        PTestProgram.Command(
            folder.Path, ["list", target, "--no-build", "-e", "class:OddRowTests", .. options]).Run();
}
