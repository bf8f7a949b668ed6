using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;

namespace PTest.Reports;

/// <summary>
/// Writes the trace events of Chrome, which Perfetto opens too: a row for each slot with its processes, and their tests
/// within. Tests that a process runs at once have rows of their own below it.
/// </summary>
internal sealed class TraceReport : IReport
{
    /// <summary>The rows of a slot, from its own on: no framework runs more tests at once in one process.</summary>
    private const int Lanes = 1000;

    public void Write(RunRecord run, Stream stream)
    {
        using Utf8JsonWriter json = new(stream);
        json.WriteStartObject();
        json.WriteString("displayTimeUnit", "ms");
        json.WriteStartArray("traceEvents");
        Name(json, "process_name", 0, $"ptest {run.Title}");
        HashSet<int> rows = [];
        foreach (ProcessSpan process in run.Processes)
        {
            int row = process.Slot * Lanes;
            rows.Add(row);
            Span(json, run, process.Name, row, process.Started, process.Ended, arguments =>
            {
                arguments.WriteNumber("processId", process.ProcessId);
                arguments.WriteNumber("processorSeconds", process.ProcessorTime.TotalSeconds);
                arguments.WriteString("end", process.End.IsComplete ? "complete" : process.End.Text);
            });
            DateTime[] free = new DateTime[Lanes];
            foreach (TestSpan test in process.Tests)
            {
                DateTime started = Within(test.Started, process);
                int lane = Math.Max(0, Array.FindIndex(free, moment => moment <= started));
                free[lane] = Within(test.Ended, process);
                rows.Add(row + lane);
                Span(json, run, test.Name, row + lane, started, free[lane], arguments =>
                    arguments.WriteString("outcome", test.Outcome));
            }
        }

        foreach (int row in rows.Order())
        {
            (int slot, int lane) = Math.DivRem(row, Lanes);
            Name(json, "thread_name", row, lane == 0
                ? string.Create(CultureInfo.InvariantCulture, $"slot {slot}")
                : string.Create(CultureInfo.InvariantCulture, $"slot {slot}, tests beside others ({lane})"));
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>Keeps a test within its process, whose times come from the kernel's clock.</summary>
    private static DateTime Within(DateTime moment, ProcessSpan process) =>
        moment < process.Started ? process.Started : moment > process.Ended ? process.Ended : moment;

    private static void Span(
        Utf8JsonWriter json, RunRecord run, string name, int row, DateTime started, DateTime ended,
        Action<Utf8JsonWriter> arguments)
    {
        json.WriteStartObject();
        json.WriteString("ph", "X");
        json.WriteString("name", name);
        json.WriteNumber("pid", 0);
        json.WriteNumber("tid", row);
        json.WriteNumber("ts", Math.Round((started - run.Summary.Started).TotalMicroseconds));
        json.WriteNumber("dur", Math.Round((ended - started).TotalMicroseconds));
        json.WriteStartObject("args");
        arguments(json);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void Name(Utf8JsonWriter json, string kind, int row, string name)
    {
        json.WriteStartObject();
        json.WriteString("ph", "M");
        json.WriteString("name", kind);
        json.WriteNumber("pid", 0);
        json.WriteNumber("tid", row);
        json.WriteStartObject("args");
        json.WriteString("name", name);
        json.WriteEndObject();
        json.WriteEndObject();
    }
}
