using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using ProcessRunner;
using PTest.Running;
using PTest.Suites;
using PTest.Verdicts;

namespace PTest.Reports;

/// <summary>
/// Keeps the reports of a run. Their files are opened before the run: a path that cannot be written is told at once,
/// and no report of an earlier run is left where this one should be.
/// </summary>
internal sealed class ReportSet : IRunListener, IDisposable
{
    private readonly List<(ReportTarget Target, FileStream File)> _files = [];
    private readonly List<JsonReport> _live = [];
    private readonly List<ProcessSpan> _processes = [];

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
                _live.Add(new JsonReport(file));
            }
        }
    }

    public void OnStart(IReadOnlyList<TestCase> tests) => _live.ForEach(report => report.OnStart(tests));

    public void OnSettled(IReadOnlyList<TestRow> rows) => _live.ForEach(report => report.OnSettled(rows));

    public void OnProcess(UnitRun run, BatchResult result, UnitEnd end)
    {
        _live.ForEach(report => report.OnProcess(run, result, end));
        if (_files.Count > _live.Count && ProcessSpan.Of(run, result, end) is ProcessSpan process)
        {
            _processes.Add(process);
        }
    }

    public void OnTick(BatchRun batch, int settled, int count)
    {
    }

    /// <summary>Writes the reports that need the whole run.</summary>
    public void OnEnd(RunSummary summary)
    {
        _live.ForEach(report => report.OnEnd(summary));
        RunRecord run = new(summary, _processes);
        foreach ((ReportTarget target, FileStream file) in _files.Where(one => one.Target.Kind != ReportKind.Json))
        {
            Report(target.Kind).Write(run, file);
        }
    }

    public void Dispose() => _files.ForEach(one => one.File.Dispose());

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
