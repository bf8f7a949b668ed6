using System;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace PTest.Configuration;

/// <summary>Reads what is either on or off.</summary>
internal sealed class SwitchConverter : JsonConverter<bool?>
{
    public override bool? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType switch
        {
            JsonTokenType.True => true,
            JsonTokenType.False => false,
            _ => throw new JsonException("true or false is expected"),
        };

    public override void Write(Utf8JsonWriter writer, bool? value, JsonSerializerOptions options) =>
        throw new NotSupportedException();
}
