using System;
using System.IO;
using System.Linq;
using ProcessRunner.TestSupport;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Runs the hostile tests once, with a report of each kind, for the tests that look at the reports.</summary>
public sealed class HostileRun : IDisposable
{
    private static readonly string[] s_reports =
        ["junit:new/junit.xml", "trx:run.trx", "html:page.html", "json:events.jsonl", "trace:trace.json"];

    private TemporaryFolder _folder = new();

    // The reports tell times by the clock, and durations.
    public HostileRun() => SteadyClock.During(() =>
    {
        _folder.Dispose();
        _folder = new TemporaryFolder();
        Result = Run();
    });

    public ProcessResult Result { get; private set; } = null!;

    public string Text(string file) => File.ReadAllText(_folder.File(file));

    public string[] Lines(string file) => File.ReadAllLines(_folder.File(file));

    public void Dispose() => _folder.Dispose();

    private ProcessResult Run()
    {
        File.WriteAllText(_folder.File("summary.md"), "of an earlier step\n");
        File.WriteAllText(_folder.File("ptest.json"), """
            { "profiles": { "default": { "overrides": [ { "filter": "method:Never", "timeout": "3s" },
                { "filter": "method:Slow", "slow": "1s" } ] } } }
            """);
        return PTestProgram.Command(
            _folder.Path,
            [
                PTestProgram.Hostile, "--isolation", "class", "--retries", "1",
                .. s_reports.SelectMany(report => (string[])["--report", report]), "--report", "github",
            ])
            .WithEnvironment("GITHUB_STEP_SUMMARY", _folder.File("summary.md"))
            .Run();
    }
}
