using System;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace PTest.Configuration;

/// <summary>Reads a value by the words of the option of its name: a string or a number.</summary>
internal abstract class ValueConverter<T>(Func<string, T> parse) : JsonConverter<T>
{
    public override T Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        string text = reader.TokenType switch
        {
            JsonTokenType.String => reader.GetString()!,
            JsonTokenType.Number => reader.GetDecimal().ToString(CultureInfo.InvariantCulture),
            _ => throw new JsonException("a string or a number is expected"),
        };
        try
        {
            return parse(text);
        }
        catch (FormatException exception)
        {
            throw new JsonException(exception.Message);
        }
    }

    public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options) =>
        throw new NotSupportedException();
}
