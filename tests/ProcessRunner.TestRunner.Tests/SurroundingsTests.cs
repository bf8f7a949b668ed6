using System;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Text.Json;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies what the user's environment brings along, and what a run leaves there.</summary>
[OnlyOn(Systems.Linux, "the hostile suites")]
public sealed class SurroundingsTests
{
    /// <summary>The hook of a profiler must run in the process of the tests, and before them.</summary>
    [Fact]
    public void AStartupHookOfTheUser_RunsInTheProcessOfTheTests() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string hook = folder.File("Hook.dll");
        SaveHook(hook, folder.File("hooked"));

        ProcessResult run = PTestProgram.Command(folder.Path, PTestProgram.Hostile, "-e", "method:Row_Passes", "-v")
            .WithEnvironment("DOTNET_STARTUP_HOOKS", hook).Run();

        run.ExitCode.Should().Be(0, run.ToString());
        string suite = Path.GetDirectoryName(PTestProgram.Hostile)!;
        File.ReadAllText(folder.File("hooked")).Split('|').Count(path => path.TrimEnd('/') == suite)
            .Should().Be(2, "one process lists the tests, and one runs them");
    });

    [Fact]
    public void AStartupHookOfASetupCommand_LeavesTheTestsTheirHost() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string hook = folder.File("Hook.dll");
        SaveHook(hook, folder.File("hooked"));
        File.WriteAllText(
            folder.File("ptest.json"),
            $$"""{ "setup": [ { "command": ["echo", "DOTNET_STARTUP_HOOKS={{hook}}\nPTEST_JOB=a"] } ] }""");

        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "method:Row_Passes", "-v").Run();

        run.ExitCode.Should().Be(0, run.ToString());
        string suite = Path.GetDirectoryName(PTestProgram.Hostile)!;
        File.ReadAllText(folder.File("hooked")).Split('|').Count(path => path.TrimEnd('/') == suite)
            .Should().Be(2, "one process lists the tests, and one runs them");
    });

    [Fact]
    public void AChildOfNativeCode_IsNoHost_ThoughItInheritsTheVariablesOfOne() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();

        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "class:NativeChildTests", "-v").Run();

        PTestProgram.Verdicts(run, "ProcessRunner.HostileTests.").Should().Equal(
            ["NativeChildTests.StartsItsOwnProgramByNativeCode PASS"], run.ToString());
    });

    /// <summary>The path of a socket is short (sun_path in unix(7)).</summary>
    [Fact]
    public void ALongTemporaryFolder_IsNoHindrance() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string temporary = folder.File(new string('t', 120));
        Directory.CreateDirectory(temporary);

        ProcessResult run = PTestProgram.Command(
            folder.Path, PTestProgram.HostileBy("MSTest"), "-e", "method:Passes and class:OrdinaryTests", "-v")
            .WithEnvironment("TMPDIR", temporary).Run();

        PTestProgram.Verdicts(run, "HostileMSTest.").Should().Contain("OrdinaryTests.Passes PASS");
        run.ExitCode.Should().Be(0, run.ToString());
    });

    [Fact]
    public void TheHistory_HasTheTimeOfOneRun_HoweverManyThereWere() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        PTestProgram.Command(
            folder.Path, PTestProgram.Hostile, "-e", "method:Slow", "--stress", "2", "--report", "json:e.jsonl").Run();

        double[] seconds =
        [
            .. new RunEvents(folder.File("e.jsonl")).Of("test")
                .Select(test => test.GetProperty("seconds").GetDouble()),
        ];
        string history = Directory.EnumerateFiles(folder.File("ptest"), "*.json*", SearchOption.AllDirectories)
            .Should().ContainSingle().Subject;
        using JsonDocument document = JsonDocument.Parse(File.ReadAllText(history));
        double milliseconds = document.RootElement.GetProperty("tests").EnumerateObject().Single().Value
            .GetProperty("milliseconds").GetDouble();
        seconds.Should().HaveCount(2);
        milliseconds.Should().BeApproximately(seconds.Average() * 1000, 2);
    });

    /// <summary>Makes a hook that adds the folder of the process's program to a file.</summary>
    private static void SaveHook(string path, string file)
    {
        PersistedAssemblyBuilder assembly = new(new AssemblyName("Hook"), typeof(object).Assembly);
        TypeBuilder type = assembly.DefineDynamicModule("Hook").DefineType(
            "StartupHook", TypeAttributes.Abstract | TypeAttributes.Sealed);
        ILGenerator code = type.DefineMethod(
            "Initialize", MethodAttributes.Public | MethodAttributes.Static, typeof(void), []).GetILGenerator();
        code.Emit(OpCodes.Ldstr, file);
        code.Emit(OpCodes.Call, typeof(AppContext).GetProperty(nameof(AppContext.BaseDirectory))!.GetMethod!);
        code.Emit(OpCodes.Ldstr, "|");
        code.Emit(OpCodes.Call, typeof(string).GetMethod(nameof(string.Concat), [typeof(string), typeof(string)])!);
        code.Emit(
            OpCodes.Call, typeof(File).GetMethod(nameof(File.AppendAllText), [typeof(string), typeof(string)])!);
        code.Emit(OpCodes.Ret);
        type.CreateType();
        assembly.Save(path);
    }
}
