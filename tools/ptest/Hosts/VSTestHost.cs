using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Xml;
using System.Xml.Linq;
using ProcessRunner;
using PTest.Suites;

namespace PTest.Hosts;

/// <summary>
/// Runs an assembly that only "dotnet vstest" can run: as a whole, because each of its processes costs more than most
/// suites. Tests that were not chosen are left out by their names. A test is known by its full name; the rows of its
/// data are rows of one test.
/// </summary>
internal sealed class VSTestHost : TestHost
{
    private const string ReportName = "report.trx";

    // How many tests the assembly has. Written before the run.
    private int _count;

    public override string Name => "vstest";

    public override bool CanSelect => false;

    public override ProcessCommand List(TestAssembly assembly, WorkFolder folder) => DotNet(
        assembly,
        "vstest",
        assembly.FilePath,
        "--ListFullyQualifiedTests",
        $"--ListTestsTargetPath:{folder.JobFile}");

    public override ProcessCommand Run(
        TestAssembly assembly, IReadOnlyList<TestCase> tests, bool isWhole, WorkFolder folder) => DotNet(
        assembly,
        [
            "vstest",
            assembly.FilePath,
            $"--logger:trx;LogFileName={ReportName}",
            $"--ResultsDirectory:{folder.ReportFolder}",
            .. tests.Count == _count ? [] : Filter(tests, folder),
        ])

        // Only its words report that a run was aborted.
        .WithEnvironment("DOTNET_CLI_UI_LANGUAGE", "en");

    public override bool Explains(ProcessResult result, IReadOnlySet<string> outcomes) =>
        result.ExitCode == 0 || outcomes.Contains(OutcomeNames.Failed);

    public override bool RunsTests(string commandLine) =>
        commandLine.Contains("testhost", StringComparison.OrdinalIgnoreCase);

    public override IReadOnlyList<HostEvent> WithDetails(TestAssembly assembly, IReadOnlyList<HostEvent> found)
    {
        _count = found.Count;
        return found;
    }

    public override IEnumerable<HostEvent> Complete(
        ProcessResult result, IReadOnlyList<TestCase> tests, WorkFolder folder)
    {
        string report = Path.Combine(folder.ReportFolder, ReportName);
        return tests.Count > 0 ? (File.Exists(report) ? Events(report, tests[0].Assembly.Name) : [])
            : File.Exists(folder.JobFile) && result.IsSuccess ? Found(File.ReadAllLines(folder.JobFile))
            : [];
    }

    /// <summary>
    /// Makes the filter, in a file because a command line has an end. It may choose more tests than those, which do not
    /// count.
    /// </summary>
    private static string[] Filter(IReadOnlyList<TestCase> tests, WorkFolder folder)
    {
        XElement filter = new("TestCaseFilter", TestNames.Filter(tests.Select(test => test.Id)));
        folder.WriteJob([$"{new XElement("RunSettings", new XElement("RunConfiguration", filter))}"]);
        return [$"--settings:{folder.JobFile}"];
    }

    private static IEnumerable<HostEvent> Events(string report, string name)
    {
        try
        {
            return [.. TrxReader.Events(report, name)];
        }
        catch (Exception exception) when (exception is XmlException or IOException or UnauthorizedAccessException
            or FormatException or ArgumentException or KeyNotFoundException or NullReferenceException)
        {
            // A process that was killed, or a full disk, leaves half a report.
            string message = $"its report cannot be read: {exception.Message}";
            return [new HostEvent { Event = EventNames.HostError, Message = message }];
        }
    }

    private static IEnumerable<HostEvent> Found(IEnumerable<string> names) =>
    [
        .. names.Select(name => TestNames.WithoutArguments(name.Trim()))
            .Where(name => name.Length > 0)
            .Select(name => new HostEvent
            {
                Event = EventNames.Found,
                Case = name,
                Class = name.LastIndexOf('.') is > 0 and int dot ? name[..dot] : "",
                Method = name[(name.LastIndexOf('.') + 1)..],
                Test = name,
            }),
        new HostEvent { Event = EventNames.RunEnded },
    ];
}
