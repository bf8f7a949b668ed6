using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using ProcessRunner;
using PTest.Output;
using PTest.Running;
using PTest.Suites;
using PTest.Verdicts;

namespace PTest.Reports;

/// <summary>
/// Keeps the reports of a run. Their files are opened before the run: a path that cannot be written is reported at
/// once, and no report of an earlier run is left where this one should be. A file that takes no more during the run (a
/// full disk) is reported, and neither ends the run nor keeps the other reports from being written.
/// </summary>
internal sealed class ReportSet : IRunListener, IDisposable
{
    private readonly List<(ReportTarget Target, FileStream File)> _files = [];
    private readonly List<(ReportTarget Target, JsonReport Report)> _live = [];
    private readonly List<ProcessSpan> _processes = [];
    private readonly HashSet<ReportTarget> _lost = [];

    /// <summary>Opens the files.</summary>
    /// <exception cref="UsageException">One of them cannot be written.</exception>
    public ReportSet(IReadOnlyList<ReportTarget> targets)
    {
        if (targets.CountBy(target => target.FilePath).FirstOrDefault(file => file.Value > 1) is { Key: string path })
        {
            throw new UsageException($"--report: {path} is to hold more than one report.");
        }

        foreach (ReportTarget target in targets)
        {
            FileStream file = Open(target);
            _files.Add((target, file));
            if (target.Kind == ReportKind.Json)
            {
                _live.Add((target, new JsonReport(file)));
            }
        }
    }

    /// <summary>Gets whether a report could not be written.</summary>
    public bool HasFailed => _lost.Count > 0;

    public void OnStart(IReadOnlyList<TestCase> tests) => Live(report => report.OnStart(tests));

    public void OnSettled(IReadOnlyList<TestRow> rows) => Live(report => report.OnSettled(rows));

    public void OnProcess(UnitRun run, BatchResult result, UnitEnd end)
    {
        Live(report => report.OnProcess(run, result, end));
        if (_files.Any(one => one.Target.Kind != ReportKind.Json)
            && ProcessSpan.Of(run, result, end) is ProcessSpan process)
        {
            _processes.Add(process);
        }
    }

    /// <summary>Writes the reports that need the whole run.</summary>
    public void OnEnd(RunSummary summary)
    {
        Live(report => report.OnEnd(summary));
        RunRecord run = new(summary, _processes);
        foreach ((ReportTarget target, FileStream file) in _files.Where(one => one.Target.Kind != ReportKind.Json))
        {
            Try(target, () =>
            {
                Report(target.Kind).Write(run, file);
                file.Flush();
            });
        }
    }

    public void Dispose()
    {
        foreach ((ReportTarget target, FileStream file) in _files)
        {
            Try(target, file.Dispose);
        }
    }

    private void Live(Action<JsonReport> write)
    {
        foreach ((ReportTarget Target, JsonReport Report) one in _live.ToArray())
        {
            if (!Try(one.Target, () => write(one.Report)))
            {
                _live.Remove(one);
            }
        }
    }

    private bool Try(ReportTarget target, Action write)
    {
        try
        {
            write();
            return true;
        }
        catch (IOException exception)
        {
            // The end of a file whose buffer is still full fails once more.
            if (_lost.Add(target))
            {
                ErrorOutput.Write($"the report {target.FilePath} is not complete: {exception.Message}");
            }

            return false;
        }
    }

    private static IReport Report(ReportKind kind) => kind switch
    {
        ReportKind.JUnit => new JUnitReport(),
        ReportKind.Trx => new TrxReport(),
        ReportKind.Html => new HtmlReport(),
        ReportKind.GitHub => new GitHubReport(),
        _ => new TraceReport(),
    };

    private static FileStream Open(ReportTarget target)
    {
        target.ThrowIfNowhere();
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(target.FilePath)!);

            // The steps of a job share GitHub's file. Others may read while it is written.
            FileMode mode = target.Kind == ReportKind.GitHub ? FileMode.Append : FileMode.Create;
            return new FileStream(target.FilePath, mode, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"--report: {target.FilePath} cannot be written: {exception.Message}");
        }
    }
}
