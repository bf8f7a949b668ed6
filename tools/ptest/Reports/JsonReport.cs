using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Encodings.Web;
using System.Text.Json;
using ProcessRunner;
using PTest.Running;
using PTest.Suites;
using PTest.Verdicts;

namespace PTest.Reports;

/// <summary>
/// Writes a line for each event as it happens, so that another program can follow a run, and so that what has been
/// reported stays if the runner is killed. docs/test-reports.md describes the lines.
/// </summary>
internal sealed class JsonReport(Stream stream)
{
    /// <summary>The version of the format of the lines. New members do not change it.</summary>
    private const int Version = 1;

    // The lines are no part of a page: names stay readable.
    private static readonly JsonWriterOptions s_options =
        new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly ArrayBufferWriter<byte> _line = new();

    public void OnStart(IReadOnlyList<TestCase> tests) => Write("run-started", DateTime.UtcNow, json =>
    {
        json.WriteNumber("version", Version);
        json.WriteNumber("tests", tests.Count);
        Strings(json, "assemblies", tests.Select(test => test.Assembly.FilePath).Distinct());
    });

    public void OnSettled(IReadOnlyList<TestRow> rows)
    {
        foreach (TestRow row in rows)
        {
            Write("test", DateTime.UtcNow, json => Test(json, row));
        }
    }

    public void OnProcess(UnitRun run, BatchResult result, UnitEnd end)
    {
        if (ProcessSpan.Of(run, result, end) is ProcessSpan process)
        {
            Write("process", DateTime.UtcNow, json => Process(json, process));
        }
    }

    public void OnEnd(RunSummary summary) => Write("run-ended", DateTime.UtcNow, json =>
    {
        json.WriteNumber("passed", summary.Passed);
        json.WriteNumber("failed", summary.Failed);
        json.WriteNumber("skipped", summary.Skipped);
        json.WriteNumber("notRun", summary.NotRun);
        json.WriteNumber("processes", summary.Processes);
        json.WriteNumber("seconds", Rounded(summary.Duration));
        json.WriteNumber("processorSeconds", Rounded(summary.ProcessorTime));
        json.WriteBoolean("isInterrupted", summary.IsInterrupted);
    });

    private static void Test(Utf8JsonWriter json, TestRow row)
    {
        json.WriteString("verdict", row.Verdict.Text());
        json.WriteBoolean("isFailure", row.IsFailure);
        json.WriteString("assembly", row.Case.Assembly.Name);
        json.WriteString("class", row.Case.ClassName);
        json.WriteString("method", row.Case.MethodName);
        json.WriteString("name", row.Name);
        json.WriteNumber("attempts", row.Attempts);
        if (row.Attempts > 0)
        {
            json.WriteString("started", row.Started);
            json.WriteNumber("seconds", Rounded(row.Duration));
            json.WriteNumber("slot", row.Slot);
        }

        Strings(json, "traits", row.Case.Traits);
        Strings(json, "leaks", row.Leaks);
        foreach ((string name, string? value) in (ReadOnlySpan<(string, string?)>)
            [("message", row.Message), ("stack", row.Stack), ("output", row.Output), ("dump", row.Dump)])
        {
            if (value is not null)
            {
                json.WriteString(name, value);
            }
        }
    }

    private static void Process(Utf8JsonWriter json, ProcessSpan process)
    {
        json.WriteString("assembly", process.Assembly);
        json.WriteString("purpose", process.Purpose.ToString().ToLowerInvariant());
        json.WriteNumber("slot", process.Slot);
        json.WriteNumber("processId", process.ProcessId);
        json.WriteString("started", process.Started);
        json.WriteNumber("seconds", Rounded(process.Ended - process.Started));
        json.WriteNumber("processorSeconds", Rounded(process.ProcessorTime));
        json.WriteString("end", process.End.IsComplete ? "complete" : process.End.Verdict.Text());
        if (!process.End.IsComplete)
        {
            json.WriteString("reason", process.End.Text);
        }

        json.WriteNumber("tests", process.Tests.Count);
    }

    private static void Strings(Utf8JsonWriter json, string name, IEnumerable<string> values)
    {
        json.WriteStartArray(name);
        foreach (string value in values)
        {
            json.WriteStringValue(value);
        }

        json.WriteEndArray();
    }

    private static double Rounded(TimeSpan time) => Math.Round(time.TotalSeconds, 6);

    private void Write(string name, DateTime moment, Action<Utf8JsonWriter> write)
    {
        _line.ResetWrittenCount();
        using (Utf8JsonWriter json = new(_line, s_options))
        {
            json.WriteStartObject();
            json.WriteString("event", name);
            json.WriteString("at", moment);
            write(json);
            json.WriteEndObject();
        }

        _line.Write("\n"u8);
        stream.Write(_line.WrittenSpan);
        stream.Flush();
    }
}
