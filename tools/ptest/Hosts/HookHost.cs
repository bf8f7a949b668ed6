using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using ProcessRunner;
using PTest.Precompilation;
using PTest.Suites;

namespace PTest.Hosts;

/// <summary>
/// Represents a host that the runtime loads into the test project's own process before its entry point: a startup hook.
/// The project needs no change, and its tests find their own dependencies and configuration.
/// </summary>
internal abstract class HookHost : TestHost
{
    private const string HooksVariable = "DOTNET_STARTUP_HOOKS";

    /// <summary>Collecting profiles for a better second compilation costs a short process more than it gains.</summary>
    private const string ProfileVariable = "DOTNET_TieredPGO";

    private static readonly string[] s_changed = [HooksVariable, ProfileVariable];

    private readonly string _listName = $"{Guid.NewGuid():n}.list";
    private string[] _list = [];

    /// <summary>Gets the path of the hook, which every runtime loads.</summary>
    public string Hook => Path.Combine(AppContext.BaseDirectory, "hosts", HookFile);

    public override bool LooksForLeaks => true;

    public override bool MarksOutput => true;

    public override bool ReportsCollections => true;

    /// <summary>Gets or sets what processes load in the place of the assembly's own files; null for nothing.</summary>
    public PrecompiledAssemblies? Precompiled { get; set; }

    /// <summary>Gets the name of a file that a project with this framework has.</summary>
    public string FrameworkFile => $"{OldestFramework.Name}.dll";

    /// <summary>Gets the file name of the hook.</summary>
    protected abstract string HookFile { get; }

    /// <summary>Gets the assembly of the framework that the hook calls, in the oldest version that works.</summary>
    protected abstract AssemblyName OldestFramework { get; }

    /// <summary>Checks that an assembly has a version of the framework that the hook can call.</summary>
    /// <exception cref="UsageException">It is too old.</exception>
    public void CheckVersion(string path)
    {
        string file = Path.Combine(Path.GetDirectoryName(path)!, FrameworkFile);
        Version oldest = OldestFramework.Version!;
        Version found = AssemblyName.GetAssemblyName(file).Version!;
        if (found < oldest)
        {
            throw new UsageException(
                $"{path} has {OldestFramework.Name} {found.ToString(3)}. The oldest that works is "
                + $"{oldest.ToString(3)}.");
        }
    }

    /// <summary>Makes the command that reports the runtime of the process, and where its assemblies are.</summary>
    public ProcessCommand Ask(TestAssembly assembly, WorkFolder folder) => Command(assembly, folder, ["runtime"]);

    public override ProcessCommand List(TestAssembly assembly, WorkFolder folder) =>
        Command(assembly, folder, ["list"]);

    public override ProcessCommand Run(
        TestAssembly assembly, IReadOnlyList<TestCase> tests, bool isWhole, WorkFolder folder)
    {
        List<string> lines = isWhole ? ["run", "parallel"] : ["run"];
        if (!tests.Any(test => test.ClassName.Length == 0))
        {
            lines.AddRange(tests.Select(test => test.ClassName).Distinct().Select(name => $"class {name}"));
        }

        lines.AddRange(tests.Select(test => $"case {test.Id}"));
        lines.Add($"listed {folder.Share(_listName, _list)}");
        return Command(assembly, folder, lines);
    }

    /// <summary>The hook ends its process by exit code 0. Code that runs then may end it otherwise.</summary>
    public override bool Explains(ProcessResult result, IReadOnlySet<string> outcomes) => result.ExitCode == 0;

    public override IReadOnlyList<HostEvent> WithDetails(TestAssembly assembly, IReadOnlyList<HostEvent> found)
    {
        _list = [.. found.Select(test => $"{test.Case}\t{test.Class}.{test.Method}")];
        return found;
    }

    // A runtime for another processor does not load machine code (ReadyToRunInfo::Initialize in readytoruninfo.cpp).
    private string FastestHook =>
        Path.Combine(AppContext.BaseDirectory, "hosts", "compiled", HookFile) is string compiled
        && DotNetProgram.HasThisRuntime
        && File.Exists(compiled)
            ? compiled
            : Hook;

    private ProcessCommand Command(TestAssembly assembly, WorkFolder folder, IEnumerable<string> lines)
    {
        List<string> job = [.. lines, $"assembly {assembly.FilePath}", $"events {folder.EventFile}"];
        job.AddRange(XunitSettings.Options(assembly).Select(option => $"option {option}"));
        job.AddRange(s_changed.Select(name => $"restore {name}={Variable(name)}"));
        job.AddRange(Precompiled?.Paths.Select(pair => $"load {pair.Key}={pair.Value}") ?? []);
        folder.WriteJob(job);
        string hook = Precompiled?.Hook ?? FastestHook;
        string[] dependencies = Precompiled is { DependencyFile: string file } ? ["--depsfile", file] : [];

        // The hook ends its process. Those of the user, as of a profiler, come before it.
        string? others = Variable(HooksVariable);
        return DotNet(assembly, ["exec", .. dependencies, assembly.FilePath])
            .WithEnvironment("PTEST_JOB", folder.JobFile)
            .WithEnvironment(HooksVariable, string.IsNullOrEmpty(others) ? hook : $"{others}{Path.PathSeparator}{hook}")
            .WithEnvironment(ProfileVariable, Variable(ProfileVariable) ?? "0");
    }

    private string? Variable(string name) =>
        Variables.TryGetValue(name, out string? value) ? value : Environment.GetEnvironmentVariable(name);
}
