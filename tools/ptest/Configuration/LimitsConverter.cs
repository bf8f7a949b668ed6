using System;
using System.Collections.Generic;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace PTest.Configuration;

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
