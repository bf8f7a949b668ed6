using System;
using System.Globalization;
using System.IO;
using System.Text;
using Batch.Commands;
using ProcessRunner;

namespace Batch.Reports;

/// <summary>
/// Represents the log: a line for each job in the order of the ends, with the columns of GNU parallel.
/// </summary>
internal sealed class JobLog : IDisposable
{
    private const string Header = "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand";

    // GNU parallel writes this value for a job that was stopped early.
    private const int CutShort = -1;

    private readonly StreamWriter _writer;
    private readonly CommandTemplate _template;

    /// <exception cref="UsageException">The file cannot be written.</exception>
    public JobLog(string path, CommandTemplate template)
    {
        _template = template;
        try
        {
            _writer =
                new StreamWriter(path, append: false, new UTF8Encoding(false)) { AutoFlush = true, NewLine = "\n" };
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new UsageException($"--joblog: {exception.Message}");
        }

        Write(Header);
    }

    /// <summary>Adds an ended job.</summary>
    /// <exception cref="UsageException">The file cannot be written.</exception>
    public void Add(JobOutcome outcome)
    {
        ProcessResult? run = outcome.Result.Result;
        double start = (run?.StartTime ?? DateTimeOffset.UtcNow).ToUnixTimeMilliseconds() / 1000.0;
        double runTime = run?.RunTime.TotalSeconds ?? 0;
        bool isCutShort = run is not null && run.StoppedBy != StopCause.None;
        bool isLost = run is null || outcome.Result.Exception is not null;
        int exitCode = isCutShort ? CutShort : isLost ? outcome.Status : run!.ExitCode ?? 0;
        string command = _template.Text(outcome.Job, outcome.Result.Slot);
        Write(string.Create(
            CultureInfo.InvariantCulture,
            $"{outcome.Job.Sequence}\t:\t{start:F3}\t{runTime,10:F3}\t0\t{run?.StandardOutput.TotalBytes ?? 0}\t"
            + $"{exitCode}\t{run?.SignalNumber ?? 0}\t{OnOneLine(command)}"));
    }

    public void Dispose()
    {
        try
        {
            _writer.Dispose();
        }
        catch (IOException)
        {
            // Every line was flushed, so each failure to write has been reported.
        }
    }

    // An item may contain a line end; a line of the log may not.
    private static string OnOneLine(string command) => command.Replace("\n", "\\n", StringComparison.Ordinal);

    private void Write(string line)
    {
        try
        {
            _writer.WriteLine(line);
        }
        catch (IOException exception)
        {
            throw new UsageException($"--joblog: {exception.Message}");
        }
    }
}
