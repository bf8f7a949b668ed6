using System;
using System.Collections.Generic;
using System.Text.Json;
using System.Text.Json.Serialization;
using PTest.Reports;

namespace PTest.Configuration;

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
