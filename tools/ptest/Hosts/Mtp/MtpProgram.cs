using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using ProcessRunner;
using PTest.Suites;

namespace PTest.Hosts.Mtp;

/// <summary>Runs a program of Microsoft.Testing.Platform: MSTest, NUnit, TUnit.</summary>
internal sealed class MtpProgram : TestHost
{
    private const string Bridge = "Microsoft.Testing.Extensions.VSTestBridge.dll";

    /// <summary>How many bytes of a filter are passed as one argument, of which Linux takes 128 KiB.</summary>
    private const int MaxArgument = 24_000;

    /// <summary>How many bytes of ids are passed as arguments. Windows takes 32,767 in all, Linux 2 MiB.</summary>
    private static readonly int s_maxArguments = OperatingSystem.IsWindows() ? 24_000 : 1_000_000;

    // The exit codes of the platform (ExitCodes.cs) that say no more than its reports.
    private const int TestsFailed = 2;
    private const int NoTests = 8;

    // How many tests the assembly has: a process that runs all of them needs no filter. Written before the run.
    private int _count;

    public override string Name => "Microsoft.Testing.Platform";

    public override bool ReportsLate => true;

    public override ProcessCommand List(TestAssembly assembly, WorkFolder folder) =>
        Command(assembly, folder, _ => null, "--list-tests");

    public override ProcessCommand Run(
        TestAssembly assembly, IReadOnlyList<TestCase> tests, bool isWhole, WorkFolder folder)
    {
        Dictionary<string, TestCase> known = tests.ToDictionary(test => test.Id);
        return Command(
            assembly,
            folder,
            id => known.GetValueOrDefault(id)?.ClassName,
            tests.Count == _count ? [] : Filter(assembly, tests, folder));
    }

    /// <summary>
    /// What fails behind the tests, such as an extension or a handler of the end, shows in the exit code alone.
    /// </summary>
    public override bool Explains(ProcessResult result, IReadOnlySet<string> outcomes) => result.ExitCode switch
    {
        0 => true,
        TestsFailed => outcomes.Contains(OutcomeNames.Failed),
        NoTests => !outcomes.Contains(OutcomeNames.Passed) && !outcomes.Contains(OutcomeNames.Failed),
        _ => false,
    };

    public override IReadOnlyList<HostEvent> WithDetails(TestAssembly assembly, IReadOnlyList<HostEvent> found)
    {
        _count = found.Count;
        ParallelHints hints = ParallelHints.Of(assembly.FilePath);
        return
        [
            .. found.Select(test =>
                hints.IsExclusive(test.Class ?? "", test.Method ?? "") ? test with { Exclusive = "true" } : test),
        ];
    }

    private static string[] Filter(TestAssembly assembly, IReadOnlyList<TestCase> tests, WorkFolder folder)
    {
        if (tests.Any(test => test.Id.Contains('\\')) && File.Exists(Path.Combine(assembly.Folder, Bridge)))
        {
            // Adapters over the bridge to vstest find no test by an id with escaped characters. The filter chooses all
            // rows of its method, of which only those that are asked for count.
            string filter = TestNames.Filter(tests.Select(test => test.FullName));
            if (Encoding.UTF8.GetByteCount(filter) <= MaxArgument)
            {
                return ["--filter", filter];
            }

            folder.WriteJob(["--filter", $"\"{filter}\""]);
            return [$"@{folder.JobFile}"];
        }

        string[] ids = [.. tests.Select(test => test.Id)];
        if (ids.Sum(id => Encoding.UTF8.GetByteCount(id) + 3) <= s_maxArguments)
        {
            return ["--filter-uid", .. ids];
        }

        // The file has no way to write a quote.
        IEnumerable<string> lines = ids.Where(id => !id.Contains('"')).Select(id => $"\"{id}\"");
        folder.WriteJob(["--filter-uid", .. lines]);
        string[] others = [.. ids.Where(id => id.Contains('"'))];
        return others.Length > 0 ? [$"@{folder.JobFile}", "--filter-uid", .. others] : [$"@{folder.JobFile}"];
    }

    private ProcessCommand Command(
        TestAssembly assembly, WorkFolder folder, Func<string, string?> classOf, params string[] arguments)
    {
        MtpPipe pipe = new(folder, classOf);
        folder.Listener = pipe;
        return DotNet(
            assembly,
            ["exec", assembly.FilePath, "--server", "dotnettestcli", "--dotnet-test-pipe", pipe.Name, .. arguments]);
    }
}
