using System;
using System.Collections.Generic;
using System.Text.Json;
using System.Text.Json.Serialization;
using PTest.CommandLine;
using PTest.Reports;
using PTest.Running;
using PTest.Selection;
using PTest.Units;

namespace PTest.Configuration;

internal sealed class DurationConverter() : ValueConverter<TimeSpan?>(text => Values.Duration(text));

internal sealed class CountConverter() : ValueConverter<int?>(text => Values.Count(text));

internal sealed class PositiveConverter() : ValueConverter<int?>(text => Values.Count(text, 1));

internal sealed class IsolationConverter() : ValueConverter<Isolation?>(text => Units.Isolation.Parse(text));

internal sealed class DumpKindConverter() : ValueConverter<DumpKind?>(text => Values.Choice<DumpKind>(text));

internal sealed class LeakPolicyConverter() : ValueConverter<LeakPolicy?>(text => Values.Choice<LeakPolicy>(text));

internal sealed class FlakyConverter() : ValueConverter<bool?>(text => Values.FlakyFails(text));

internal sealed class FilterConverter() : ValueConverter<TestFilter>(TestFilter.Parse);

/// <summary>Reads the reports.</summary>
internal sealed class ReportsConverter : JsonConverter<ReportTarget[]>
{
    private readonly ReportConverter _one = new();

    public override ReportTarget[] Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType != JsonTokenType.StartArray)
        {
            throw new JsonException("a list of reports is expected: [\"junit:PATH\"]");
        }

        List<ReportTarget> reports = [];
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            reports.Add(_one.Read(ref reader, typeof(ReportTarget), options));
        }

        return [.. reports];
    }

    public override void Write(Utf8JsonWriter writer, ReportTarget[] value, JsonSerializerOptions options) =>
        throw new NotSupportedException();

    private sealed class ReportConverter() : ValueConverter<ReportTarget>(ReportTarget.Parse);
}

/// <summary>Reads the limits of groups.</summary>
internal sealed class LimitsConverter : JsonConverter<Dictionary<string, int>>
{
    private readonly PositiveConverter _limit = new();

    public override Dictionary<string, int> Read(
        ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            throw new JsonException("an object of limits is expected: { \"database\": 2 }");
        }

        Dictionary<string, int> limits = [];
        while (reader.Read() && reader.TokenType != JsonTokenType.EndObject)
        {
            string name = reader.GetString()!;
            reader.Read();
            limits[name] = _limit.Read(ref reader, typeof(int?), options)!.Value;
        }

        return limits;
    }

    public override void Write(
        Utf8JsonWriter writer, Dictionary<string, int> value, JsonSerializerOptions options) =>
        throw new NotSupportedException();
}
