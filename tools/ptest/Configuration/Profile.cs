using System;
using System.Text.Json.Serialization;
using PTest.Reports;
using PTest.Running;
using PTest.Units;

namespace PTest.Configuration;

/// <summary>Represents what a profile says. The keys are the names of the options.</summary>
internal sealed class Profile : TestKeys
{
    [JsonConverter(typeof(IsolationConverter))]
    public Isolation? Isolation { get; set; }

    [JsonConverter(typeof(PositiveConverter))]
    public int? Jobs { get; set; }

    [JsonConverter(typeof(DurationConverter))]
    public TimeSpan? RunTimeout { get; set; }

    [JsonConverter(typeof(DumpKindConverter))]
    public DumpKind? HangDump { get; set; }

    [JsonConverter(typeof(PositiveConverter))]
    public int? FailFast { get; set; }

    [JsonConverter(typeof(SwitchConverter))]
    public bool? Precompile { get; set; }

    [JsonConverter(typeof(ReportsConverter))]
    public ReportTarget[]? Report { get; set; }

    public Override[]? Overrides { get; set; }
}
