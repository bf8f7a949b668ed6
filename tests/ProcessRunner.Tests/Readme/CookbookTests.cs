using System;
using System.IO;
using System.Linq;
using System.Xml.Linq;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Readme;

/// <summary>Runs every recipe of samples/Cookbook, and verifies what it prints.</summary>
[OnlyOn(Systems.Unix, "the examples run programs of Unix")]
public sealed class CookbookTests
{
    private const int LongestRecipe = 30;

    private static readonly string s_directory = Path.Combine(Repository.Root, "samples", "Cookbook");

    [Theory]
    [InlineData("Binary", "00FF0A0D00")]
    [InlineData("Cancel", "Canceled")]
    [InlineData("Compilers", "file 50 does not compile")]
    [InlineData("Dialogue", "welcome, ada")]
    [InlineData("Directory", "/usr")]
    [InlineData("ExitCodes", "not found")]
    [InlineData("Filter", "apple banana cherry")]
    [InlineData("FirstAnswer", "fast: answer")]
    [InlineData("FirstMatch", "line 500\nCanceled")]
    [InlineData("GzipPipeline", "100000")]
    [InlineData("LargeOutput", "2000000 lines, in a file: True")]
    [InlineData("LogFile", "the last line is 1000\nthe log has 1000 lines")]
    [InlineData("OnlyTheExitCode", "3")]
    [InlineData("ParallelLoop", "640000 bytes")]
    [InlineData("Progress", "progress: 10%\nprogress: 50%\nprogress: 100%\nprogress: done")]
    [InlineData("Retry", "flaky: True, attempts: 3")]
    [InlineData("Secrets", "true --password '***'")]
    [InlineData("Server", "listening on port 8080\nbye")]
    [InlineData("TimeLimit", "TimedOut: begun")]
    [InlineData("Tracing", "sh: exit code 3")]
    [InlineData("Variables", "hello nowhere")]
    public void Recipe_DoesWhatItSays(string name, string expected) => Guard.Run(() =>
        Run(name).Should().Be(expected));

    [Fact]
    [OnlyOn(Systems.Linux, "nice values, limits and users of Linux")]
    [NativeBackend("the portable backend has no such settings")]
    public void Recipe_UserAndNice_RunsAsThatUser() => Guard.Run(() => Run("UserAndNice").Should().Be(
        Environment.IsPrivilegedProcess
            ? "nobody runs with the nice value 19"
            : "this program may not become another user"));

    [Fact]
    public void Recipe_JUnitReport_WritesTheReport() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        Run("JUnitReport", directory.At("")).Should().Be("300 tests, 1 failure");
        XElement suite = XElement.Load(directory.At("junit.xml"));
        suite.Attribute("tests")!.Value.Should().Be("300");
        suite.Attribute("failures")!.Value.Should().Be("1");
        suite.Elements("testcase").Single(test => test.HasElements).Attribute("name")!.Value.Should().Be("test 300");
    });

    [Fact]
    public void Recipe_GitStatus_ListsAChangedFile() => Guard.Run(() =>
    {
        using TemporaryDirectory directory = new();
        ProcessCommand git = new("git", "init", "-q") { WorkingDirectory = directory.At("") };
        try
        {
            git.Run().EnsureSuccess();
        }
        catch (ProcessStartException)
        {
            // Without git there is nothing to show.
            return;
        }

        File.WriteAllText(directory.At("new"), "");
        Run("GitStatus", directory.At("")).Should().Be("?? new");
    });

    [Fact]
    public void Recipes_AreListedAndShort()
    {
        string[] recipes =
        [
            .. System.IO.Directory.GetFiles(s_directory, "*.cs")
                .Where(file => Path.GetFileName(file) != "Program.cs")
                .OrderBy(file => file, StringComparer.Ordinal),
        ];
        recipes.Should().HaveCount(24);
        recipes.Should().OnlyContain(file => File.ReadLines(file).Count() <= LongestRecipe);
        string readme = File.ReadAllText(Path.Combine(s_directory, "README.md"));
        recipes.Should().OnlyContain(
            file => readme.Contains($"]({Path.GetFileName(file)})", StringComparison.Ordinal));
    }

    private static string Run(string name, string? directory = null)
    {
        ProcessCommand cookbook = new(Path.Combine(AppContext.BaseDirectory, "Cookbook"), name)
        {
            WorkingDirectory = directory,
        };
        return cookbook.Run().EnsureSuccess().StandardOutput.Text.TrimEnd('\n');
    }
}
